import { expect } from '@playwright/test'

/** Resolves to a value of a page that changes for a while, once two readings in a row are equal. */
export async function resting(read: () => Promise<number>): Promise<number> {
  let last = Number.NaN
  const change = async () => {
    const before = last
    last = await read()
    return last - before
  }
  await expect.poll(change).toBe(0)
  return last
}
