// The scripts of a player, out of one packed text. What stands in the file are the modules as the page has them, each with
// its own imports; here every one becomes a blob, and the names of those that it imports their addresses.

// Text in base 64 that was deflated, as bytes (ArrayBuffer).
export async function unpack(text) {
  const bytes = Uint8Array.fromBase64?.(text) ?? Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return inflate(bytes);
}

export function inflate(bytes) {
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer();
}

// The module `entry` of packed [[name, text], ...], in which each comes behind those that it imports.
export async function load(packed, entry) {
  const modules = JSON.parse(new TextDecoder().decode(await unpack(packed)));
  const addresses = new Map();
  for (const [name, text] of modules) {
    const linked = text.replace(/(from\s*)"([^"]+)"/g, (all, from, other) =>
      addresses.has(other) ? `${from}"${addresses.get(other)}"` : all);
    const named = `${linked}\n//# sourceURL=pliant${name.startsWith("/") ? name : `/${name}`}\n`;
    addresses.set(name, URL.createObjectURL(new Blob([named], { type: "text/javascript" })));
  }
  return import(addresses.get(entry));
}
