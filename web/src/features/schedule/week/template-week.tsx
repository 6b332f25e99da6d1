import type { Block, Weekday } from '@looptide/contracts/schedule'
import { type ReactNode, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast.ts'
import { BlockDialog } from '../blocks/block-dialog.tsx'
import type { TabProps } from '../draft/use-schedule-editor.ts'
import { copyDay, putBlock, removeFromDays } from '../model/block-edits.ts'
import { findClashes } from '../model/clash-edits.ts'
import { freePlace, type Place } from '../model/free-hours.ts'
import { newId } from '../model/names.ts'
import { problemsAt } from '../model/problem-place.ts'
import { ALL_DAYS, dayName } from '../model/times.ts'
import { CopyDayDialog } from './copy-day-dialog.tsx'
import type { WeekActions } from './week-actions.ts'
import { WeekGrid } from './week-grid.tsx'
import { WeekList } from './week-list.tsx'

const NEW_BLOCK: Place = { days: ALL_DAYS, from: '20:00', to: '22:00' }

/** What is open: a block in its dialog, or the dialog that copies a day. */
type Open = { block: Block; isNew: boolean } | { copiedDay: Weekday }

/** The blocks that repeat every week, as a grid or as a list with the same functions. */
export function TemplateWeek(props: TabProps & { isGrid: boolean; controls: ReactNode }) {
  const { editor, problems, isGrid } = props
  const { document, previous } = editor
  const blocks = document.blocks ?? []
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const change = (apply: (blocks: readonly Block[]) => Block[], part?: string) =>
    editor.change((known) => ({ ...known, blocks: apply(known.blocks ?? []) }), part)
  const { create, remove } = useBlockActions(editor, change, (block) => setOpen({ block, isNew: true }))
  const actions: WeekActions = {
    create,
    createFree: (day) => create(freePlace(blocks, day ? { ...NEW_BLOCK, days: [day] } : NEW_BLOCK)),
    edit: (block) => setOpen({ block, isNew: false }),
    remove,
    copy: (copiedDay) => setOpen({ copiedDay }),
    change,
  }
  const marked = new Set(
    blocks.filter((_, index) => problemsAt(problems, `/blocks/${index}`).length > 0).map(({ id }) => id),
  )
  const clashes = findClashes(blocks, previous?.blocks)
  const hasExactStart = blocks.some(({ start }) => start === 'hard')
  return (
    <section data-print aria-label="Week" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <h3 className="hidden text-xl font-semibold print:block">{editor.channel.name}</h3>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button tone="primary" icon="plus" className="print:hidden" onClick={() => actions.createFree()}>
          Add block
        </Button>
        <p className="min-w-0 flex-1 basis-60 text-sm text-muted">
          Outside blocks the channel plays {document.defaultSource}. Times are local times of{' '}
          {document.timeZone}.{isGrid && hasExactStart && ' Blocks with ● start at the exact time.'}
        </p>
        {props.controls}
      </div>
      {isGrid ? (
        <WeekGrid blocks={blocks} marked={marked} clashes={clashes} actions={actions} />
      ) : (
        <WeekList blocks={blocks} marked={marked} actions={actions} />
      )}
      {open && 'block' in open && (
        <BlockDialog
          key={open.block.id}
          document={document}
          block={open.block}
          isNew={open.isNew}
          problems={problemsAt(problems, `/blocks/${blocks.findIndex(({ id }) => id === open.block.id)}`)}
          onSave={(block) => change((known) => putBlock(known, block))}
          onRemove={() => remove(open.block)}
          onDuplicate={
            open.isNew ? undefined : () => setOpen({ block: copyOf(open.block, blocks), isNew: true })
          }
          onClose={close}
        />
      )}
      {open && 'copiedDay' in open && (
        <CopyDayDialog
          blocks={blocks}
          day={open.copiedDay}
          onCopy={(days) => change((known) => copyDay(known, open.copiedDay, days))}
          onClose={close}
        />
      )}
    </section>
  )
}

/** Opens a new block, and removes one. */
function useBlockActions(
  { document }: TabProps['editor'],
  change: WeekActions['change'],
  open: (block: Block) => void,
) {
  const { blocks = [], defaultSource } = document
  const create = ({ days, ...times }: Place) =>
    open({
      ...{ id: newId('block', blocks), name: 'New block', ...times, days: [...days] },
      ...{ start: 'soft', source: defaultSource },
    })
  const remove = (block: Block, day?: Weekday) => {
    change((known) => removeFromDays(known, day ? [day] : ALL_DAYS, block.id))
    toast({ title: 'Block removed', description: day ? `${block.name}, ${dayName(day)}` : block.name })
  }
  return { create, remove }
}

/** A copy of a block in the first free hours of its days. */
function copyOf(block: Block, blocks: readonly Block[]): Block {
  const { days, ...times } = freePlace(blocks, block)
  return { ...block, ...times, days: [...days], id: newId(block.name, blocks) }
}
