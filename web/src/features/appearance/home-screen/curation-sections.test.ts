import type { CurationItem } from '@looptide/contracts/http/videos'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { inSections, withoutItem, withPlace } from './curation-sections.ts'

const section = fc.oneof(
  fc.constant({ sectionType: 'hero' as const, sectionName: null }),
  fc.constant({ sectionType: 'featured' as const, sectionName: null }),
  fc.constantFrom('Surf', 'hero', 'featured').map((sectionName) => ({
    sectionType: 'category' as const,
    sectionName,
  })),
)
const list = fc.array(section, { minLength: 1, maxLength: 20 }).map((sections) =>
  sections.map(
    (each, index): CurationItem => ({
      ...each,
      id: String(index),
      videoId: `video-${index}`,
      position: sections.slice(0, index + 1).filter((other) => JSON.stringify(other) === JSON.stringify(each))
        .length,
      isActive: true,
      video: null,
    }),
  ),
)

const idsBySection = (items: readonly CurationItem[]) =>
  inSections(items).map((each) => [each.key, each.items.map(({ id }) => id)] as const)

it('each item is in exactly one section, and a category named "hero" is not the hero section', () => {
  fc.assert(
    fc.property(list, (items) => {
      const sections = inSections(items)
      expect(sections.slice(0, 2).map(({ title }) => title)).toEqual(['Hero (1 video max)', 'Featured'])
      expect(new Set(sections.map(({ key }) => key)).size).toBe(sections.length)
      expect(sections.flatMap((each) => each.items.map(({ id }) => id)).toSorted()).toEqual(
        items.map(({ id }) => id).toSorted(),
      )
    }),
  )
})

it('a moved item is at the requested position and the order of the others is unchanged', () => {
  fc.assert(
    fc.property(list, fc.nat(), fc.integer({ min: 1, max: 30 }), (items, pick, place) => {
      const id = String(pick % items.length)
      const after = inSections(withPlace(items, id, place))
      for (const each of inSections(items)) {
        const now = after.find(({ key }) => key === each.key)?.items.map((item) => item.id)
        const before = each.items.map((item) => item.id)
        expect(now?.filter((other) => other !== id)).toEqual(before.filter((other) => other !== id))
        if (before.includes(id)) expect(now?.indexOf(id)).toBe(Math.min(place, before.length) - 1)
      }
      const own = after.find((each) => each.items.some((item) => item.id === id))
      expect(own?.items.map(({ position }) => position)).toEqual(own?.items.map((_, index) => index + 1))
    }),
  )
})

it('removing an item and putting it back restores the list', () => {
  fc.assert(
    fc.property(list, fc.nat(), (items, pick) => {
      const id = String(pick % items.length)
      const rest = withoutItem(items, id)
      expect(rest).toHaveLength(items.length - 1)
      const removed = items[Number(id)] as CurationItem
      expect(idsBySection(withPlace([...rest, removed], id, removed.position)).toSorted()).toEqual(
        idsBySection(items).toSorted(),
      )
    }),
  )
})
