import type { ChatCase } from '@looptide/contracts/http/chat-cases'
import { useState } from 'react'
import { usePageKeys } from '../../../lib/keys/page-keys.ts'
import { DECISION_LABELS, OUTCOME_LABELS } from '../../../lib/report-labels.ts'
import { dayAndTime } from '../../../lib/time/date-locale.ts'
import { classNames } from '../../../ui/class-names.ts'
import { Icon } from '../../../ui/icon.tsx'
import { ListPage } from '../../../ui/list-page.tsx'
import { EmptyNotice } from '../../../ui/notice.tsx'
import { CaseDetails } from './case-details.tsx'
import { useCases } from './use-cases.ts'

const EMPTY = {
  done: { title: 'Nothing decided yet', text: 'Decided reports and appeals are listed here.' },
  all: { title: 'No reports yet', text: 'Messages that viewers report are listed here.' },
}

/** Cases that are decided, or all, newest first. Each opens in place; `n` and `p` open the next and the previous one. */
export function CaseList({ state }: { state: 'done' | 'all' }) {
  const list = useCases(state)
  const [openId, setOpenId] = useState<string>()
  const step = (by: 1 | -1) => {
    const items = list.items ?? []
    const at = items.findIndex(({ id }) => id === openId)
    const target = items[at < 0 ? 0 : at + by]
    if (target === undefined) return
    setOpenId(target.id)
    document.getElementById(rowId(target.id))?.focus()
  }
  usePageKeys({
    title: 'Reports',
    keys: [
      { keys: 'n', label: 'Next report', run: () => step(1) },
      { keys: 'p', label: 'Previous report', run: () => step(-1) },
    ],
  })
  const onDecided = (id: string) => {
    void list.reload()
    document.getElementById(rowId(id))?.focus()
  }
  return (
    <ListPage
      list={{ ...list, reload: () => void list.reload() }}
      loading="Loading reports"
      skeleton={{ count: 6, className: 'h-20' }}
      failed="Failed to load the reports."
      empty={
        <EmptyNotice title={EMPTY[state].title}>
          <p>{EMPTY[state].text}</p>
        </EmptyNotice>
      }
    >
      {(cases) => (
        <ol aria-label="Reports" className="grid grid-cols-[minmax(0,1fr)] gap-3">
          {cases.map((item) => {
            const isOpen = item.id === openId
            return (
              <li key={item.id} className="grid grid-cols-[minmax(0,1fr)] gap-3">
                <CaseRow
                  item={item}
                  isOpen={isOpen}
                  onToggle={() => setOpenId(isOpen ? undefined : item.id)}
                />
                {isOpen && <CaseDetails id={item.id} onDecided={() => onDecided(item.id)} />}
              </li>
            )
          })}
        </ol>
      )}
    </ListPage>
  )
}

const rowId = (id: string): string => `report-${id}`

/** What has become of a case, in one or two sentences. */
function stateOf({ decision, appeal }: ChatCase): string {
  if (decision === null) return 'Waiting for a decision.'
  if (appeal === null) return DECISION_LABELS[decision]
  return appeal.outcome === null
    ? `${DECISION_LABELS[decision]} The appeal waits.`
    : `${DECISION_LABELS[decision]} ${OUTCOME_LABELS[appeal.outcome]}`
}

function CaseRow({ item, isOpen, onToggle }: { item: ChatCase; isOpen: boolean; onToggle: () => void }) {
  return (
    <button
      type="button"
      id={rowId(item.id)}
      aria-expanded={isOpen}
      onClick={onToggle}
      className="lift flex items-start gap-3 rounded-lg border border-line/70 bg-panel p-4 text-left text-sm hover:bg-raised"
    >
      <span className="grid min-w-0 flex-1 gap-1 [overflow-wrap:anywhere]">
        <span className="flex flex-wrap justify-between gap-x-3">
          <bdi className="font-semibold">
            {item.authorHandle === null ? 'A member without a handle' : `@${item.authorHandle}`}
          </bdi>
          <span className="text-muted">{dayAndTime(Date.parse(item.decidedAt ?? item.openedAt))}</span>
        </span>
        <span dir="auto" className="line-clamp-2">
          {item.message}
        </span>
        <span className="text-muted">{stateOf(item)}</span>
      </span>
      <Icon name="down" className={classNames('mt-0.5 size-5 shrink-0', isOpen && 'rotate-180')} />
    </button>
  )
}
