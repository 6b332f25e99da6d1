const OPEN_LAYERS = ['dialog', 'alertdialog', 'menu', 'listbox']
  .map((role) => `[role="${role}"][data-state="open"]`)
  .join(', ')

/** A part of the page that is shown only for a while, such as the running jobs. */
const PASSING = '[data-passing]'

/** The topmost open dialog or menu: it handles keys, and the focus stays in it. */
export const topLayer = (): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>(OPEN_LAYERS)].at(-1)

/** The open dialog, menu or passing part of the page that contains an element: when it goes, it returns the focus. */
export const layerOf = (element: Element): Element | null => element.closest(`${OPEN_LAYERS}, ${PASSING}`)

/** Whether what {@link layerOf} has returned is still in the document and open. */
export const isOpenLayer = (layer: Element): boolean =>
  layer.isConnected && layer.matches(`${OPEN_LAYERS}, ${PASSING}`)
