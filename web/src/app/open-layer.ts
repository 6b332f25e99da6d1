const OPEN_LAYERS = ['dialog', 'alertdialog', 'menu', 'listbox']
  .map((role) => `[role="${role}"][data-state="open"]`)
  .join(', ')

/** The topmost dialog or menu that is open: it has the keys, and the focus stays in it. */
export const topLayer = (): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>(OPEN_LAYERS)].at(-1)
