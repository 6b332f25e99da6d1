import type { CatalogueTrx, CurationRow } from '../../db/schema.ts'
import {
  countCuration,
  insertCuration,
  lockCuration,
  MOST_ITEMS,
  sectionOrder,
  writeOrder,
} from './curation-repository.ts'

/** Puts items of deleted videos back into their sections, at the places they had, while there is room. */
export async function putBack(trx: CatalogueTrx, items: readonly CurationRow[]): Promise<void> {
  if (items.length === 0) return
  await lockCuration(trx)
  const room = MOST_ITEMS - (await countCuration(trx))
  for (const item of items.slice(0, Math.max(0, room))) {
    const others = await sectionOrder(trx, item)
    const { createdAt: _createdAt, ...columns } = item
    await insertCuration(trx, columns)
    await writeOrder(trx, others.toSpliced(item.position - 1, 0, item.id))
  }
}
