import type { CatalogueTrx, CurationRow } from '../../db/schema.ts'
import {
  countCuration,
  insertCuration,
  lockCuration,
  MAX_ITEMS,
  sectionOrder,
  writeOrder,
} from './curation-repository.ts'

/** Restores curation items of deleted videos at their old positions, up to {@link MAX_ITEMS} items in all. */
export async function restoreCuration(trx: CatalogueTrx, items: readonly CurationRow[]): Promise<void> {
  if (items.length === 0) return
  await lockCuration(trx)
  const capacity = MAX_ITEMS - (await countCuration(trx))
  for (const item of items.slice(0, Math.max(0, capacity))) {
    const others = await sectionOrder(trx, item)
    const { createdAt: _createdAt, ...columns } = item
    await insertCuration(trx, columns)
    await writeOrder(trx, others.toSpliced(item.position - 1, 0, item.id))
  }
}
