/** A button of the grid: a block of a row, or the row's channel (`blockId` is null). */
export interface GridPlace {
  rowId: string
  blockId: string | null
}

/** The value of `data-place`, which identifies a button of the grid. Ids of channels have no slash. */
export const placeName = ({ rowId, blockId }: GridPlace): string => `${rowId}/${blockId ?? ''}`

/** The button of the grid that an event is about. */
export function placeOf(target: EventTarget): GridPlace | undefined {
  const element = target instanceof Element ? target.closest<HTMLElement>('[data-place]') : null
  const name = element?.dataset.place
  if (name === undefined) return undefined
  const slash = name.indexOf('/')
  return { rowId: name.slice(0, slash), blockId: name.slice(slash + 1) || null }
}
