import { paths } from './paths.ts'

/** Which page an address shows: one of All Videos that opens a video in front of the list shows the list still. */
export const pageOf = (pathname: string): string =>
  pathname.startsWith(`${paths.videos()}/`) ? paths.videos() : pathname
