// Light or dark, as that which is round the player: JupyterLab, marimo and VS Code say it themselves, others follow the
// system.

export function isDark() {
  const { body, documentElement } = document;
  if (body.dataset.jpThemeLight) return body.dataset.jpThemeLight === "false";
  if (body.dataset.vscodeThemeKind) return !/light/.test(body.dataset.vscodeThemeKind);
  const said = body.dataset.theme ?? documentElement.dataset.theme;
  if (said === "dark" || said === "light") return said === "dark";
  if (body.classList.contains("dark") || documentElement.classList.contains("dark")) return true;
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

// `apply(dark)` at once, and whenever it changes. Returns what ends that.
export function watchTheme(apply) {
  let shown = null;
  const look = () => isDark() !== shown && apply((shown = isDark()));
  const system = matchMedia("(prefers-color-scheme: dark)");
  const watch = new MutationObserver(look);
  for (const each of [document.body, document.documentElement]) watch.observe(each, { attributes: true });
  system.addEventListener("change", look);
  look();
  return () => (watch.disconnect(), system.removeEventListener("change", look));
}
