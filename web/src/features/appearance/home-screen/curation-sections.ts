import type { CurationItem } from '@looptide/contracts/http/videos'

export type SectionType = CurationItem['sectionType']

/** docs/product/admin.md §2. Several hero videos can be added; viewers see the first active one ({@link shownHero}). */
export const SECTION_CHOICES: readonly { value: SectionType; label: string }[] = [
  { value: 'hero', label: 'Hero (1 video max)' },
  { value: 'featured', label: 'Featured' },
  { value: 'category', label: 'Category' },
]

export interface CurationSection {
  key: string
  title: string
  sectionType: SectionType
  sectionName: string | null
  items: CurationItem[]
}

const keyOf = (item: Pick<CurationItem, 'sectionType' | 'sectionName'>): string =>
  item.sectionType === 'category' ? `category:${item.sectionName}` : item.sectionType

/** Groups the list by section: hero, featured, then each category by name. Hero and featured are always present. */
export function inSections(items: readonly CurationItem[]): CurationSection[] {
  const sections = new Map<string, CurationSection>()
  const sectionFor = (sectionType: SectionType, sectionName: string | null): CurationSection => {
    const key = keyOf({ sectionType, sectionName })
    const title =
      sectionName ?? SECTION_CHOICES.find(({ value }) => value === sectionType)?.label ?? sectionType
    const section = sections.get(key) ?? { key, title, sectionType, sectionName, items: [] }
    sections.set(key, section)
    return section
  }
  sectionFor('hero', null)
  sectionFor('featured', null)
  for (const item of items) sectionFor(item.sectionType, item.sectionName).items.push(item)
  return [...sections.values()]
}

/** The hero video that viewers see: the first active one. */
export const shownHero = (items: readonly CurationItem[]): CurationItem | undefined =>
  items.find(({ isActive }) => isActive)

/** The list with an item at a place (from 1) in its section. A place beyond the end means the end. */
export function withPlace(items: readonly CurationItem[], id: string, place: number): CurationItem[] {
  const moved = items.find((item) => item.id === id)
  if (!moved) return [...items]
  const others = items.filter((item) => keyOf(item) === keyOf(moved) && item.id !== id)
  const ordered = others
    .toSpliced(place - 1, 0, moved)
    .map((item, index): CurationItem => ({ ...item, position: index + 1 }))
  // Only the slots of this section are refilled, so that other sections keep their order.
  const queue = ordered.values()
  return items.map((item) => (keyOf(item) === keyOf(moved) ? (queue.next().value ?? item) : item))
}

/** The list without an item; the positions after it move up. */
export function withoutItem(items: readonly CurationItem[], id: string): CurationItem[] {
  const last = withPlace(items, id, items.length + 1)
  return last.filter((item) => item.id !== id)
}
