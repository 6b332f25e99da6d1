import { paths } from '../lib/paths.ts'

/** Marks the element that is focused first on a page, if that is not the heading. */
const FOCUS_START = '[data-focus-start]'

/** The main content of a page. The live page is no `main`, because it stays when it is only a corner of another page. */
export const PAGE = 'main, [role="main"]'

/** The visible page: neither the placeholder shown while its code loads, nor the previous page, which is hidden. */
export const shownPage = (): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>('#main')].find((page) => page.checkVisibility())

/** The first focus of a page: the marked element, else the heading, so that a screen reader announces the page. */
export function pageStart(): HTMLElement | null {
  const page = shownPage()
  if (!page) return null
  if (page.matches(FOCUS_START)) return page
  return page.querySelector<HTMLElement>(FOCUS_START) ?? page.querySelector<HTMLElement>('h1')
}

/** Focuses any element, even one that is not focusable, without scrolling. */
export function focusQuietly(element: HTMLElement): void {
  element.focus({ preventScroll: true })
  if (document.activeElement === element) return
  element.tabIndex = -1
  element.focus({ preventScroll: true })
}

/** The path of the page that a URL shows: the details of a video open over All Videos, so they count as that page. */
export const pagePathOf = (pathname: string): string =>
  pathname.startsWith(`${paths.videos()}/`) ? paths.videos() : pathname
