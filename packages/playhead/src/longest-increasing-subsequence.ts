/** Indexes of one longest strictly increasing subsequence, by patience sorting in O(n log n). */
export function longestIncreasingSubsequence(values: readonly number[]): Set<number> {
  const tails: number[] = []
  const before: number[] = []
  values.forEach((value, index) => {
    let low = 0
    let high = tails.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((values[tails[middle] ?? -1] ?? value) < value) low = middle + 1
      else high = middle
    }
    before[index] = tails[low - 1] ?? -1
    tails[low] = index
  })
  const increasing = new Set<number>()
  for (let index = tails.at(-1) ?? -1; index >= 0; index = before[index] ?? -1) increasing.add(index)
  return increasing
}
