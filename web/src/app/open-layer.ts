const OPEN_LAYERS = ['dialog', 'alertdialog', 'menu', 'listbox']
  .map((role) => `[role="${role}"][data-state="open"]`)
  .join(', ')

/** The topmost open dialog or menu: it handles keys, and the focus stays in it. */
export const topLayer = (): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>(OPEN_LAYERS)].at(-1)
