import type {
  Block,
  Override,
  OverrideBlock,
  ScheduleDocument,
  ScheduleProblem,
  Special,
} from '@looptide/contracts/schedule'
import { BlockDialog } from '../blocks/block-dialog.tsx'
import { HolidayDialog } from '../calendar/holiday-dialog.tsx'
import { SpecialDialog } from '../calendar/special-dialog.tsx'
import { putBlock } from '../model/block-edits.ts'
import { problemsAt } from '../model/problem-place.ts'
import type { WeekItem } from '../model/real-week.ts'

/** What is open in a dialog: something that airs in the week, or a holiday itself. */
export type OpenItem = WeekItem | { kind: 'dates'; item: Override }

interface Context {
  document: ScheduleDocument
  problems: readonly ScheduleProblem[]
  change: (change: (document: ScheduleDocument) => ScheduleDocument) => void
  onClose: () => void
}

/** The dialog of an item of a week. A change of a block is a change of all weeks. */
export function RealWeekDialog({ open, ...context }: Context & { open: OpenItem }) {
  switch (open.kind) {
    case 'block':
      return <WeekBlock {...context} block={open.item} />
    case 'special':
      return <OneSpecial {...context} special={open.item} />
    case 'holiday':
      return <HolidayBlock {...context} holiday={open.holiday} block={open.item} />
    case 'dates':
      return <Holiday {...context} holiday={open.item} />
  }
}

interface Item {
  id: string
}
const without = <T extends Item>(items: readonly T[] | undefined, { id }: Item): T[] =>
  (items ?? []).filter((one) => one.id !== id)
const indexOf = (items: readonly Item[] | undefined, { id }: Item): number =>
  (items ?? []).findIndex((one) => one.id === id)

function WeekBlock({ document, problems, change, onClose, block }: Context & { block: Block }) {
  return (
    <BlockDialog
      document={document}
      block={block}
      isNew={false}
      problems={problemsAt(problems, `/blocks/${indexOf(document.blocks, block)}`)}
      onSave={(next) => change((known) => ({ ...known, blocks: putBlock(known.blocks ?? [], next) }))}
      onRemove={() => change((known) => ({ ...known, blocks: without(known.blocks, block) }))}
      onClose={onClose}
    />
  )
}

function OneSpecial({ document, problems, change, onClose, special }: Context & { special: Special }) {
  return (
    <SpecialDialog
      document={document}
      special={special}
      isNew={false}
      problems={problemsAt(problems, `/specials/${indexOf(document.specials, special)}`)}
      onSave={(next) => change((known) => ({ ...known, specials: putBlock(known.specials ?? [], next) }))}
      onRemove={() => change((known) => ({ ...known, specials: without(known.specials, special) }))}
      onClose={onClose}
    />
  )
}

function HolidayBlock(props: Context & { holiday: Override; block: OverrideBlock }) {
  const { document, problems, change, onClose, holiday, block } = props
  const path = `/overrides/${indexOf(document.overrides, holiday)}/blocks/${indexOf(holiday.blocks, block)}`
  const save = (blocks: OverrideBlock[]) =>
    change((known) => ({ ...known, overrides: putBlock(known.overrides ?? [], { ...holiday, blocks }) }))
  return (
    <BlockDialog<OverrideBlock>
      document={document}
      block={block}
      isNew={false}
      problems={problemsAt(problems, path)}
      onSave={(next) => save(putBlock(holiday.blocks, next))}
      onRemove={() => save(without(holiday.blocks, block))}
      onClose={onClose}
    />
  )
}

function Holiday({ document, problems, change, onClose, holiday }: Context & { holiday: Override }) {
  return (
    <HolidayDialog
      document={document}
      holiday={holiday}
      isNew={false}
      problems={problemsAt(problems, `/overrides/${indexOf(document.overrides, holiday)}`)}
      onSave={(next) => change((known) => ({ ...known, overrides: putBlock(known.overrides ?? [], next) }))}
      onRemove={() => change((known) => ({ ...known, overrides: without(known.overrides, holiday) }))}
      onClose={onClose}
    />
  )
}
