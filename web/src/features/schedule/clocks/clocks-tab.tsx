import type { Slot } from '@looptide/contracts/schedule'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { EmptyNotice } from '../../../ui/notice.tsx'
import type { TabProps } from '../draft/use-schedule-editor.ts'
import { ProblemLines } from '../fields/problem-lines.tsx'
import { problemsAt } from '../model/problem-place.ts'
import { renameClock, usesOfClock } from '../model/references.ts'
import { slotText } from '../model/sentences.ts'
import { clockLengthMs, durationText } from '../model/times.ts'
import { ClockDialog } from './clock-dialog.tsx'

/** The clocks of the schedule: lists of slots that are repeated while a block lasts. */
export function ClocksTab({ editor, problems }: TabProps) {
  const { document } = editor
  const clocks = document.clocks ?? {}
  const sources = Object.keys(document.sources)
  /** The name of the clock in the dialog; an empty one is new. */
  const [open, setOpen] = useState<string>()
  const save = (before: string, name: string, slots: Slot[]) =>
    editor.change((known) => {
      const renamed = before === '' || before === name ? known : renameClock(known, before, name)
      return { ...renamed, clocks: { ...renamed.clocks, [name]: slots } }
    })
  const remove = (name: string) =>
    editor.change((known) => {
      const { [name]: _removed, ...rest } = known.clocks ?? {}
      return { ...known, clocks: rest }
    })
  return (
    <section aria-label="Clocks" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button tone="primary" icon="plus" onClick={() => setOpen('')}>
          Add clock
        </Button>
        <p className="min-w-0 flex-1 basis-60 text-sm text-muted">
          A clock is a list of slots that repeats until its block ends. Choose the clock in the block.
        </p>
      </div>
      {Object.keys(clocks).length === 0 ? (
        <EmptyNotice title="No clocks yet">
          Blocks can play a source without a clock. Add a clock to mix several sources and station idents.
        </EmptyNotice>
      ) : (
        <ul aria-label="Clocks" className="grid gap-3 md:grid-cols-2 2xl:grid-cols-3">
          {Object.entries(clocks).map(([name, slots]) => {
            const uses = usesOfClock(document, name)
            return (
              <li
                key={name}
                className="grid content-start gap-2 rounded-lg border border-line/70 bg-panel p-4"
              >
                <div className="flex items-start gap-2">
                  <h3 className="min-w-0 flex-1 text-lg font-semibold wrap-anywhere">{name}</h3>
                  <Button aria-label={`Edit ${name}`} onClick={() => setOpen(name)}>
                    Edit
                  </Button>
                </div>
                <ol className="grid list-decimal gap-0.5 pl-5 text-sm">
                  {slots.map((slot, index) => (
                    // Slots have no identity of their own.
                    <li key={String(index)} className="break-words">
                      {slotText(slot, sources)}
                    </li>
                  ))}
                </ol>
                <p className="text-sm text-muted">
                  About {durationText(clockLengthMs(slots))}, then repeats.
                </p>
                <ProblemLines problems={problemsAt(problems, `/clocks/${name}`)} />
                <p className="text-sm text-muted">
                  {uses.length === 0 ? 'Not used yet.' : `Used by ${uses.join(', ')}.`}
                </p>
              </li>
            )
          })}
        </ul>
      )}
      {open !== undefined && (
        <ClockDialog
          key={open}
          name={open}
          slots={clocks[open] ?? [{ source: document.defaultSource, count: 3 }]}
          sources={sources}
          otherNames={Object.keys(clocks).filter((name) => name !== open)}
          uses={open === '' ? [] : usesOfClock(document, open)}
          problems={open === '' ? [] : problemsAt(problems, `/clocks/${open}`)}
          onSave={(name, slots) => save(open, name, slots)}
          onRemove={() => remove(open)}
          onClose={() => setOpen(undefined)}
        />
      )}
    </section>
  )
}
