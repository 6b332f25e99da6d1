import type {
  Override,
  OverrideBlock,
  ScheduleDocument,
  ScheduleProblem,
  Special,
} from '@looptide/contracts/schedule'
import { useState } from 'react'
import { Button, IconButton } from '../../../ui/button.tsx'
import { BlockDialog } from '../blocks/block-dialog.tsx'
import { ProblemLines } from '../fields/problem-lines.tsx'
import { putBlock } from '../model/block-edits.ts'
import { freePlace } from '../model/free-hours.ts'
import { newId } from '../model/names.ts'
import { problemsAt } from '../model/problem-place.ts'
import { contentText } from '../model/sentences.ts'
import { specialsOn, startLabel } from '../model/specials.ts'
import { ALL_DAYS, durationText, spanLabel } from '../model/times.ts'
import { dateText } from '../model/zoned-time.ts'
import type { CalendarActions } from './calendar-actions.ts'

/** The specials and the holiday of a date, with the blocks of the holiday. */
export function DayPanel(props: {
  document: ScheduleDocument
  problems: readonly ScheduleProblem[]
  date: string
  actions: CalendarActions
}) {
  const { document, problems, date, actions } = props
  const { override, specials } = specialsOn(document, date)
  return (
    <section
      aria-labelledby="calendar-day"
      className="grid content-start gap-4 rounded-lg border border-line/70 bg-panel p-4"
    >
      <h3 id="calendar-day" aria-live="polite" className="text-lg font-semibold">
        {dateText(date)}
      </h3>
      <div className="flex flex-wrap gap-2">
        <Button icon="plus" tone="primary" onClick={() => actions.addSpecial(date)}>
          Add special
        </Button>
        {!override && (
          <Button icon="plus" onClick={() => actions.addHoliday(date)}>
            Add holiday
          </Button>
        )}
      </div>
      {specials.length > 0 && (
        <ul aria-label="Specials of the day" className="grid gap-2">
          {specials.map((special) => (
            <SpecialRow
              key={special.id}
              special={special}
              problems={problemsAt(problems, `/specials/${document.specials?.indexOf(special)}`)}
              actions={actions}
            />
          ))}
        </ul>
      )}
      {override ? (
        <Holiday
          document={document}
          holiday={override}
          problems={problems}
          path={`/overrides/${document.overrides?.indexOf(override)}`}
          actions={actions}
        />
      ) : (
        <p className="text-sm text-muted">
          {specials.length === 0 && 'No specials on this day. '}The blocks of the week apply.
        </p>
      )}
    </section>
  )
}

function Holiday(props: {
  document: ScheduleDocument
  holiday: Override
  problems: readonly ScheduleProblem[]
  /** JSON pointer of the holiday. */
  path: string
  actions: CalendarActions
}) {
  const { holiday, problems, path, actions } = props
  const { blocks } = holiday
  const [open, setOpen] = useState<{ block: OverrideBlock; isNew: boolean }>()
  const setBlocks = (next: OverrideBlock[]) => actions.saveHoliday({ ...holiday, blocks: next })
  const create = () => {
    const { days: _days, ...hours } = freePlace(blocks, { days: ALL_DAYS, from: '20:00', to: '22:00' })
    setOpen({
      block: {
        id: newId('block', blocks),
        name: 'New block',
        ...hours,
        source: props.document.defaultSource,
      },
      isNew: true,
    })
  }
  return (
    <section aria-label={holiday.name ?? holiday.id} className="grid gap-2 border-t border-line/70 pt-4">
      <div className="flex flex-wrap items-center gap-2">
        <h4 className="mr-auto font-semibold wrap-anywhere">{holiday.name ?? holiday.id}</h4>
        <Button onClick={() => actions.editHoliday(holiday)}>Edit holiday</Button>
        <Button icon="plus" onClick={create}>
          Add block
        </Button>
      </div>
      <p className="text-sm text-muted">These blocks replace those of the week.</p>
      <ProblemLines problems={problemsAt(problems, path)} />
      {blocks.length === 0 ? (
        <p className="text-sm text-muted">No blocks: the default source plays all day.</p>
      ) : (
        <ul aria-label="Blocks of the holiday" className="grid gap-1">
          {blocks
            .toSorted((a, b) => (a.from < b.from ? -1 : 1))
            .map((block) => (
              <li key={block.id} className="flex items-center gap-2 rounded-md bg-raised/60 pl-3">
                <div className="min-w-0 flex-1 py-1.5">
                  <p className="font-medium wrap-anywhere">{block.name}</p>
                  <p className="text-sm text-muted tabular-nums">
                    {spanLabel(block)} · {contentText(block)}
                  </p>
                </div>
                <Button
                  tone="plain"
                  className="px-3"
                  aria-label={`Edit ${block.name}`}
                  onClick={() => setOpen({ block, isNew: false })}
                >
                  Edit
                </Button>
              </li>
            ))}
        </ul>
      )}
      {open && (
        <BlockDialog<OverrideBlock>
          document={props.document}
          block={open.block}
          isNew={open.isNew}
          problems={problemsAt(
            problems,
            `${path}/blocks/${blocks.findIndex(({ id }) => id === open.block.id)}`,
          )}
          onSave={(block) => setBlocks(putBlock(blocks, block))}
          onRemove={() => setBlocks(blocks.filter(({ id }) => id !== open.block.id))}
          onClose={() => setOpen(undefined)}
        />
      )}
    </section>
  )
}

/** A special with its actions. */
function SpecialRow(props: { special: Special; problems: readonly string[]; actions: CalendarActions }) {
  const { special, actions } = props
  return (
    <li className="grid gap-1 rounded-md bg-raised/60 px-3 py-2">
      <p className="font-medium wrap-anywhere">{special.name}</p>
      <p className="text-sm text-muted tabular-nums">
        {startLabel(special)} · {durationText(special.durationMs)} · {contentText(special)}
        {special.start === 'hard' && ' · exact start'}
      </p>
      <ProblemLines problems={props.problems} />
      <div className="-mx-1 flex flex-wrap gap-1">
        <Button
          tone="plain"
          className="px-3"
          aria-label={`Edit ${special.name}`}
          onClick={() => actions.editSpecial(special)}
        >
          Edit
        </Button>
        <Button
          tone="plain"
          className="px-3"
          aria-label={`Repeat ${special.name}`}
          onClick={() => actions.repeatSpecial(special)}
        >
          Repeat
        </Button>
        <IconButton
          icon="remove"
          label={`Remove ${special.name}`}
          onClick={() => actions.removeSpecial(special)}
        />
      </div>
    </li>
  )
}
