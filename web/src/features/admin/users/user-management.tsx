import type { AddRestrictionBody, AdminUser } from '@looptide/contracts/http/users'
import { useState } from 'react'
import type { RestrictionInForce } from '../../../lib/restrictions.ts'
import { useSession } from '../../../lib/session.tsx'
import { useDebounced } from '../../../lib/use-debounced.ts'
import { useMediaQuery } from '../../../lib/use-media-query.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { EmptyNotice, ErrorNotice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { usePeople } from './api.ts'
import { PersonRow } from './person-row.tsx'
import { nameOf } from './person-words.ts'
import { RestrictionForm } from './restriction-form.tsx'
import { RoleDialog } from './role-dialog.tsx'
import { useMeasures } from './use-measures.ts'

const SEARCH_DELAY_MS = 250

/** Profiles with their restrictions and roles. Nothing for who is no admin (admin specification §6). */
export function UserManagement() {
  const { isAdmin } = useSession()
  return isAdmin ? <Management /> : null
}

/** What is asked before it is done; `settle` tells the form whether it was. */
type Question =
  | { kind: 'role'; person: AdminUser }
  | { kind: 'ban'; person: AdminUser }
  | { kind: 'add'; person: AdminUser; terms: AddRestrictionBody; settle: Settle }
  | { kind: 'replace'; person: AdminUser; terms: AddRestrictionBody; text: string; settle: Settle }

type Settle = (isAdded: boolean) => void

function Management() {
  // Beside the list where there is room; on a narrow screen it opens over the list, for the person selected there.
  const isWide = useMediaQuery('(min-width: 64rem)')
  const [search, setSearch] = useState('')
  const list = usePeople(useDebounced(search.trim(), SEARCH_DELAY_MS))
  const measures = useMeasures(list.reload)
  const [selected, setSelected] = useState<AdminUser>()
  const [question, setQuestion] = useState<Question>()

  // A ban from the site throws somebody out at once: that is asked for.
  const add = (person: AdminUser, terms: AddRestrictionBody): Promise<boolean> => {
    return new Promise((settle) => {
      if (terms.restrictionType === 'site_banned') setQuestion({ kind: 'add', person, terms, settle })
      else void settleWith(measures.add(person, terms), { person, terms, settle })
    })
  }
  /** Settles with the result of an attempt to restrict; a restriction in force is asked about first. */
  const settleWith = async (
    work: Promise<boolean | RestrictionInForce>,
    asked: Pick<Question & { kind: 'add' }, 'person' | 'terms' | 'settle'>,
  ) => {
    const result = await work
    if (typeof result === 'boolean') {
      asked.settle(result)
      setQuestion(undefined)
    } else {
      const terms = { ...asked.terms, replaces: result.id }
      setQuestion({ ...asked, kind: 'replace', terms, text: result.text })
    }
  }
  const close = () => {
    if (question && 'settle' in question) question.settle(false)
    setQuestion(undefined)
  }
  const carryOut = async (work: Promise<boolean | RestrictionInForce>) => {
    if (question && 'settle' in question) return settleWith(work, question)
    await work
    setQuestion(undefined)
  }

  return (
    <section aria-labelledby="user-management" className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <h2 id="user-management" className="text-xl font-semibold">
        User Management
      </h2>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <TextField
            label="Search people"
            type="search"
            maxLength={100}
            placeholder="Handle, artist name or email"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
          <PeopleList
            list={list}
            isSearching={search.trim() !== ''}
            isBusy={measures.isBusy}
            selectedId={selected?.id}
            onSelect={(person) => setSelected(person.id === selected?.id ? undefined : person)}
            onAsk={(kind, person) => setQuestion({ kind, person })}
            onRemove={(person, restriction) => void measures.remove(person, restriction)}
          />
        </div>
        {isWide ? (
          <section
            aria-labelledby="add-restriction"
            className="sticky top-22 grid gap-4 rounded-lg border border-line/70 bg-panel p-5"
          >
            <h3 id="add-restriction" className="text-lg font-semibold">
              Add a Restriction
            </h3>
            <RestrictionForm person={selected} isBusy={measures.isBusy} onAdd={add} />
          </section>
        ) : (
          selected && (
            <Dialog title="Add a Restriction" isOpen onClose={() => setSelected(undefined)} width="narrow">
              <RestrictionForm
                person={selected}
                isBusy={measures.isBusy}
                onAdd={async (person, terms) => {
                  const isAdded = await add(person, terms)
                  if (isAdded) setSelected(undefined)
                  return isAdded
                }}
              />
            </Dialog>
          )
        )}
      </div>
      <Asked question={question} measures={measures} onClose={close} onAnswer={carryOut} />
    </section>
  )
}

function Asked(props: {
  question: Question | undefined
  measures: ReturnType<typeof useMeasures>
  onClose: () => void
  onAnswer: (work: Promise<boolean | RestrictionInForce>) => Promise<void>
}) {
  const { question, measures, onClose, onAnswer } = props
  const { userId } = useSession()
  if (!question) return null
  const { person } = question
  if (question.kind === 'role') {
    return (
      <RoleDialog
        person={person}
        isOwn={person.id === userId}
        isBusy={measures.isBusy}
        onChange={(role) => void onAnswer(measures.changeRole(person, role))}
        onClose={onClose}
      />
    )
  }
  if (question.kind === 'replace') {
    return (
      <ConfirmDialog
        title={`Replace the restriction of ${nameOf(person)}?`}
        confirmLabel="Replace"
        isBusy={measures.isBusy}
        onConfirm={() => void onAnswer(measures.add(person, question.terms))}
        onCancel={onClose}
      >
        <p className="[overflow-wrap:anywhere]">{question.text}</p>
        <p>The new one replaces it.</p>
      </ConfirmDialog>
    )
  }
  return (
    <ConfirmDialog
      title={`Ban ${nameOf(person)} from the site?`}
      confirmLabel="Ban from Site"
      isBusy={measures.isBusy}
      onConfirm={() =>
        void onAnswer(question.kind === 'add' ? measures.add(person, question.terms) : measures.ban(person))
      }
      onCancel={onClose}
    >
      <p>Every session of theirs ends at once, and they cannot sign in until the restriction is removed.</p>
    </ConfirmDialog>
  )
}

function PeopleList(props: {
  list: ReturnType<typeof usePeople>
  isSearching: boolean
  isBusy: boolean
  selectedId: string | undefined
  onSelect: (person: AdminUser) => void
  onAsk: (kind: 'role' | 'ban', person: AdminUser) => void
  onRemove: (person: AdminUser, restriction: AdminUser['restrictions'][number]) => void
}) {
  const { list } = props
  const { userId } = useSession()
  if (!list.people) {
    if (list.error) return <ErrorNotice text="The people could not be loaded." onRetry={list.reload} />
    return (
      <div role="status" aria-label="Loading the people" className="grid gap-2">
        {Array.from({ length: 8 }, (_, index) => (
          <Skeleton key={String(index)} className="h-16" />
        ))}
      </div>
    )
  }
  if (list.people.length === 0) {
    return props.isSearching ? (
      <EmptyNotice title="Nobody is called that">Try a part of the handle or artist name.</EmptyNotice>
    ) : (
      <EmptyNotice title="Nobody has signed up yet" />
    )
  }
  return (
    <>
      <ul aria-label="People" className="divide-y divide-line rounded-lg border border-line/70 bg-panel">
        {list.people.map((person) => (
          <PersonRow
            key={person.id}
            person={person}
            isOwn={person.id === userId}
            isSelected={person.id === props.selectedId}
            isBusy={props.isBusy}
            onSelect={() => props.onSelect(person)}
            onBan={() => props.onAsk('ban', person)}
            onRole={() => props.onAsk('role', person)}
            onRemove={(restriction) => props.onRemove(person, restriction)}
          />
        ))}
      </ul>
      {list.hasMore && (
        <Button className="justify-self-center" aria-disabled={list.isLoadingMore} onClick={list.loadMore}>
          Show more
        </Button>
      )}
    </>
  )
}
