// Keys for the whole page, except in fields that take text.

// Keys of what one may see inside, as inside.py names it.
const LOOKS = { 1: "particles", 2: "links", 3: "regions", 4: "elements", 5: "wireframe", 6: "contacts", 7: "ellipsoids",
  0: "nothing", g: "skin", m: "heat", c: "clip", v: "flip" };

export const lookKeys = (look) => Object.fromEntries(Object.entries(LOOKS).map(([key, what]) => [key, () => look(what)]));

const MOVES = new Set(["ArrowLeft", "ArrowRight", "Home", "End"]);
const MOVABLE = ".q-slider, .q-menu, [role=listbox], [role=radiogroup], [role=tablist]"; // these keys are their own
const REPEATED = new Set(["s", "ArrowLeft", "ArrowRight"]); // when a key is held down

// Actions by key; each is given the event. The whole page listens, or an element with all that is in it.
export function listen(actions, target = window) {
  const handle = (event) => {
    if (event.altKey || event.target.closest?.("input:not([type=range]), textarea, select, [contenteditable]")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const action = actions[event.ctrlKey || event.metaKey ? stepping(key, event.shiftKey) : key];
    if (!action || (event.repeat && !REPEATED.has(event.key))) return;
    if (MOVES.has(event.key) && event.target.closest?.(MOVABLE)) return;
    event.preventDefault();
    if (target === window) leaveButton(); // an element would lose the keys with the focus
    else event.stopPropagation(); // a notebook has keys of its own
    action(event);
  };
  target.addEventListener("keydown", handle);
  return () => target.removeEventListener("keydown", handle);
}

// Back and forth in what was done, as everywhere.
const stepping = (key, shift) => (key === "z" ? (shift ? "redo" : "undo") : key === "y" ? "redo" : "none");

// Else a space would also press the button that has the focus.
function leaveButton() {
  const focus = document.activeElement;
  if (focus?.role !== "slider") focus?.blur?.();
}
