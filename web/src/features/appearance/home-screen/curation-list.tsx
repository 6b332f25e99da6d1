import { useId } from 'react'
import { classNames } from '../../../ui/class-names.ts'
import { useDragOrder } from '../../../ui/use-drag-order.ts'
import { CurationRow } from './curation-row.tsx'
import { type CurationSection, shownHero } from './curation-sections.ts'
import type { CurationEditor } from './use-curation-editor.ts'

/** One section with its videos in order. */
export function CurationList({ section, editor }: { section: CurationSection; editor: CurationEditor }) {
  const { items } = section
  const { list, drag, handle } = useDragOrder((from, to) => {
    const item = items[from]
    if (item) void editor.move(item, to + 1)
  })
  const headingId = useId()
  return (
    <section aria-labelledby={headingId} className="grid gap-3">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h3 id={headingId} className="text-lg font-semibold wrap-anywhere">
          {section.title}
        </h3>
        <p className="text-sm text-muted">
          {section.sectionType === 'category' && 'Category • '}
          {items.length === 1 ? '1 video' : `${items.length} videos`}
        </p>
      </div>
      {section.sectionType === 'hero' && items.filter(({ isActive }) => isActive).length > 1 && (
        <p className="text-sm text-muted">
          Viewers see only the first active video, followed by four random ones.
        </p>
      )}
      {items.length === 0 ? (
        <p className="rounded-lg border border-dashed border-line px-4 py-6 text-center text-sm text-muted">
          No videos selected. Viewers see random videos here.
        </p>
      ) : (
        <ul ref={list} className="rounded-lg border border-line/70 bg-panel">
          {items.map((item, index) => (
            <li
              key={item.id}
              style={
                drag?.from === index ? { transform: `translateY(${drag.y - drag.startY}px)` } : undefined
              }
              className={classNames(
                'relative border-b border-line/70 last:border-b-0',
                drag?.from === index && 'z-10 rounded-md bg-raised shadow-lift',
                drag && index !== drag.from && dropMarkClass(drag, index),
              )}
            >
              <CurationRow
                item={item}
                place={index + 1}
                count={items.length}
                isLeftOut={section.sectionType === 'hero' && item.isActive && item !== shownHero(items)}
                editor={editor}
                handle={handle(index)}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** Class of the line that marks where the dragged row would be dropped. */
function dropMarkClass({ from, to }: { from: number; to: number }, index: number): string | false {
  if (to === from || index !== to) return false
  return to < from ? 'shadow-[0_-3px_0_0_var(--theme-accent)]' : 'shadow-[0_3px_0_0_var(--theme-accent)]'
}
