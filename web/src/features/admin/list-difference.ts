import { longestIncreasingSubsequence } from '@looptide/playhead/longest-increasing-subsequence'

/** The items in which two versions of an ordered list differ, by kind of change. */
export interface ListDifference<T> {
  added: readonly T[]
  removed: readonly T[]
  moved: readonly T[]
}

/** The difference between two versions. A changed order is explained by as few moved items as possible. */
export function differenceOf<T extends { id: string }>(
  before: readonly T[],
  after: readonly T[],
): ListDifference<T> {
  const places = new Map(before.map(({ id }, place) => [id, place]))
  const afterIds = new Set(after.map(({ id }) => id))
  const kept = after.filter(({ id }) => places.has(id))
  const unmoved = longestIncreasingSubsequence(kept.map(({ id }) => places.get(id) ?? 0))
  return {
    added: after.filter(({ id }) => !places.has(id)),
    removed: before.filter(({ id }) => !afterIds.has(id)),
    moved: kept.filter((_, index) => !unmoved.has(index)),
  }
}

/** Whether nothing was added, removed or moved. */
export const isUnchanged = ({ added, removed, moved }: ListDifference<unknown>): boolean =>
  added.length + removed.length + moved.length === 0
