const OPEN_LAYERS = ['dialog', 'alertdialog', 'menu', 'listbox']
  .map((role) => `[role="${role}"][data-state="open"]`)
  .join(', ')

/** The topmost open dialog or menu: it handles keys, and the focus stays in it. */
export const topLayer = (): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>(OPEN_LAYERS)].at(-1)

/** The open dialog or menu that contains an element. */
export const layerOf = (element: Element): Element | null => element.closest(OPEN_LAYERS)

/** Whether a dialog or menu is still in the document and open. */
export const isOpenLayer = (layer: Element): boolean => layer.isConnected && layer.matches(OPEN_LAYERS)
