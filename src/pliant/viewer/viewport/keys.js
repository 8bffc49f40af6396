// Keys for the whole page, except where somebody types.

export function listen(actions) {
  const handle = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest?.("input, textarea, select, [contenteditable]")) return;
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action || (event.repeat && event.key !== "s")) return;
    event.preventDefault();
    document.activeElement?.blur?.(); // else a space would also press the button that has the focus
    action();
  };
  addEventListener("keydown", handle);
  return () => removeEventListener("keydown", handle);
}
