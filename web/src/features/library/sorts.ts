/** Sort orders of the library list. */
export const SORTS = [
  { value: 'newest', label: 'Newest First' },
  { value: 'title', label: 'Title A-Z' },
  { value: 'artist', label: 'Artist A-Z' },
] as const
export type Sort = (typeof SORTS)[number]['value']

/** Whether a text from the address is a sort order of this release. */
export const isSort = (text: string): text is Sort => SORTS.some(({ value }) => value === text)
