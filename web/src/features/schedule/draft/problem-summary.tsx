import type { Block, ScheduleProblem } from '@looptide/contracts/schedule'
import { clashProblems } from '@looptide/planner/clash-problems'
import type { ReactNode } from 'react'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast.ts'
import { type BlockClash, findClashes } from '../model/clash-edits.ts'
import { placeOf, type Tab } from '../model/problem-place.ts'
import type { TabProps } from './use-schedule-editor.ts'

/** Number of clashes of blocks that are shown. */
const SHOWN = 3

/**
 * Lists why the draft cannot be published. Each line opens the tab in which the problem can be fixed; blocks of the week
 * that overlap have the edits that end it here.
 */
export function ProblemSummary(
  props: TabProps & {
    onOpen: (tab: Tab) => void
    /** The button that was pressed is gone. */
    onSolved: () => void
  },
) {
  const { document, previous } = props.editor
  const clashes = findClashes(document.blocks ?? [], previous?.blocks)
  const others = withoutBlockClashes(props)
  const count = clashes.length + others.length
  if (count === 0) return null
  return (
    <section
      aria-labelledby="schedule-problems"
      className="grid gap-2 rounded-md border border-accent bg-panel px-4 py-3 text-sm"
    >
      <h2 id="schedule-problems" className="font-semibold">
        <span aria-hidden="true">⚠ </span>
        {count === 1 ? '1 problem' : `${count} problems`} to fix before publishing
      </h2>
      <ul className="grid gap-1">
        {clashes.slice(0, SHOWN).map((clash) => (
          <ProblemLine key={clash.key} what="Week" text={clash.text} onOpen={() => props.onOpen('week')}>
            <ClashButtons {...props} clash={clash} />
          </ProblemLine>
        ))}
        {others.map((problem) => {
          const { tab, what } = placeOf(document, problem)
          const { path, message } = problem
          return (
            <ProblemLine
              key={`${path} ${message}`}
              what={what}
              text={message}
              onOpen={() => props.onOpen(tab)}
            />
          )
        })}
      </ul>
      {clashes.length > SHOWN && (
        <p className="text-muted">And {clashes.length - SHOWN} more blocks that overlap.</p>
      )}
    </section>
  )
}

function ProblemLine(props: { what: string; text: string; onOpen: () => void; children?: ReactNode }) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Button tone="plain" className="-ml-3 px-3 underline underline-offset-2" onClick={props.onOpen}>
        {props.what}
      </Button>
      <span className="min-w-0 flex-1 basis-60 wrap-anywhere">{props.text}</span>
      {props.children}
    </li>
  )
}

/** The problems of the station's check but for those that {@link findClashes} finds in the browser, with their edits. */
function withoutBlockClashes({ editor, problems }: TabProps): readonly ScheduleProblem[] {
  const known = new Set(
    clashProblems(editor.document)
      .filter(({ path }) => path.startsWith('/blocks/'))
      .map(({ path, message }) => `${path} ${message}`),
  )
  return problems.filter(({ path, message }) => !known.has(`${path} ${message}`))
}

/** The edits that end a clash of two blocks. */
function ClashButtons(props: TabProps & { clash: BlockClash; onSolved: () => void }) {
  const { editor, onSolved } = props
  const { shorten, replace, isNew } = props.clash
  const { undo } = editor
  const edit = (apply: (blocks: readonly Block[]) => Block[]) => {
    editor.change((known) => ({ ...known, blocks: apply(known.blocks ?? []) }))
    onSolved()
  }
  return (
    <div className="flex flex-wrap gap-2">
      {shorten && <Button onClick={() => edit(shorten.apply)}>{shorten.label}</Button>}
      <Button
        onClick={() => {
          edit(replace.apply)
          toast({ title: 'Block removed', description: replace.removed })
        }}
      >
        {replace.label}
      </Button>
      {isNew && undo && (
        <Button
          onClick={() => {
            undo()
            onSolved()
          }}
        >
          Cancel
        </Button>
      )}
    </div>
  )
}
