import type { CurationItem } from '@looptide/contracts/http/videos'

export type SectionType = CurationItem['sectionType']

/** docs/product/admin.md §2. More than one hero video can be chosen; viewers see the first active one ({@link shownHero}). */
export const SECTION_CHOICES: readonly { value: SectionType; label: string }[] = [
  { value: 'hero', label: 'Hero (1 video max)' },
  { value: 'featured', label: 'Featured' },
  { value: 'category', label: 'Category' },
]

export type CurationSection = {
  key: string
  title: string
  sectionType: SectionType
  sectionName: string | null
  items: CurationItem[]
}

const keyOf = (item: Pick<CurationItem, 'sectionType' | 'sectionName'>): string =>
  item.sectionType === 'category' ? `category:${item.sectionName}` : item.sectionType

/** The list as the home page has it: hero, featured, then each category by its name. The first two are always there. */
export function inSections(items: readonly CurationItem[]): CurationSection[] {
  const sections = new Map<string, CurationSection>()
  const open = (sectionType: SectionType, sectionName: string | null): CurationSection => {
    const key = keyOf({ sectionType, sectionName })
    const title =
      sectionName ?? SECTION_CHOICES.find(({ value }) => value === sectionType)?.label ?? sectionType
    const section = sections.get(key) ?? { key, title, sectionType, sectionName, items: [] }
    sections.set(key, section)
    return section
  }
  open('hero', null)
  open('featured', null)
  for (const item of items) open(item.sectionType, item.sectionName).items.push(item)
  return [...sections.values()]
}

/** The only hero video that viewers are shown as chosen: the first active one. */
export const shownHero = (items: readonly CurationItem[]): CurationItem | undefined =>
  items.find(({ isActive }) => isActive)

/** The list once the item has this place (from 1) in its section; a place behind the last one is the last. */
export function withPlace(items: readonly CurationItem[], id: string, place: number): CurationItem[] {
  const moved = items.find((item) => item.id === id)
  if (!moved) return [...items]
  const others = items.filter((item) => keyOf(item) === keyOf(moved) && item.id !== id)
  const ordered = others
    .toSpliced(place - 1, 0, moved)
    .map((item, index): CurationItem => ({ ...item, position: index + 1 }))
  // Each stands where an item of its section stood before: other sections stay as they are.
  const queue = ordered.values()
  return items.map((item) => (keyOf(item) === keyOf(moved) ? (queue.next().value ?? item) : item))
}

/** The list without an item; those behind it move up. */
export function withoutItem(items: readonly CurationItem[], id: string): CurationItem[] {
  const last = withPlace(items, id, items.length + 1)
  return last.filter((item) => item.id !== id)
}
