/** Pages mark with it where the focus begins, if that is not their heading. */
const MARK = '[data-focus-start]'

/**
 * The page that is shown: neither what holds its place while its code is fetched, nor the one before, which is hidden
 * until then.
 */
export const shownPage = (): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>('main#main')].find((page) => page.checkVisibility())

/** Where the focus of a page begins: at the mark, else its heading, so that a screen reader says where one is. */
export function pageStart(): HTMLElement | null {
  const page = shownPage()
  if (!page) return null
  if (page.matches(MARK)) return page
  return page.querySelector<HTMLElement>(MARK) ?? page.querySelector<HTMLElement>('h1')
}

/** Focuses also what is no control, without a jump of the page. */
export function focusQuietly(element: HTMLElement): void {
  element.focus({ preventScroll: true })
  if (document.activeElement === element) return
  element.tabIndex = -1
  element.focus({ preventScroll: true })
}
