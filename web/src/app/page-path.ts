import { paths } from '../lib/paths.ts'

/** The path of the page that a URL shows: the details of a video open over All Videos, so they count as that page. */
export const pagePathOf = (pathname: string): string =>
  pathname.startsWith(`${paths.videos()}/`) ? paths.videos() : pathname
