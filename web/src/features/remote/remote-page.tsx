import { useState } from 'react'
import { Link } from 'react-router-dom'
import { usePageTitle } from '../../lib/browser/use-page-title.ts'
import { paths } from '../../lib/paths.ts'
import { MAX_SEARCH_TEXT, type TvCommand } from '../../lib/remote/tv-messages.ts'
import { useSession } from '../../lib/session/session.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form, SubmitButton } from '../../ui/form.tsx'
import { EmptyNotice, ErrorNotice } from '../../ui/notice.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useForm } from '../../ui/use-form.ts'
import { useTvs } from './use-tvs.ts'

/** The phone as a remote control for the account's paired TVs (docs/product/viewer.md §2, "Pairing a TV"). */
export function RemotePage() {
  usePageTitle('Remote')
  const { status } = useSession()
  return (
    <main id="main" className="mx-auto grid w-full max-w-md content-start gap-6 px-4 py-8">
      <h1 className="text-2xl font-bold tracking-tight">Remote</h1>
      {status === 'signed-out' ? (
        <EmptyNotice title="Sign in to control your TV">
          <Link to={paths.signIn(paths.remote())} className={buttonClass('primary')}>
            Sign In
          </Link>
        </EmptyNotice>
      ) : (
        <Tvs />
      )}
    </main>
  )
}

function Tvs() {
  const { paired, on, error, retry, command, isUnanswered } = useTvs()
  const [chosen, setChosen] = useState<string>()
  if (error && !paired) return <ErrorNotice text="Your TVs could not be loaded." onRetry={retry} />
  if (!paired) return <Skeleton className="h-72" />
  if (paired.length === 0)
    return (
      <EmptyNotice title="No TV is paired">
        <Link to={paths.pair()} className={buttonClass('primary')}>
          Pair a TV
        </Link>
      </EmptyNotice>
    )
  if (!on) return <Skeleton className="h-72" />
  const tv = on.find(({ id }) => id === chosen) ?? on[0]
  if (!tv)
    return (
      <EmptyNotice title="No TV is on">
        <p>Open the station on your TV. It appears here within a few seconds.</p>
      </EmptyNotice>
    )
  return (
    <div className="grid gap-6">
      {on.length === 1 ? (
        <p className="text-muted">
          Controls <bdi className="font-semibold text-text">{nameOf(tv)}</bdi>
        </p>
      ) : (
        <SelectField
          label="TV"
          choices={on.map((each) => ({ value: each.id, label: nameOf(each) }))}
          value={tv.id}
          onChange={setChosen}
        />
      )}
      <Keys onCommand={(given) => command(tv.id, given)} />
      <p role="status" className="min-h-6 text-sm text-muted">
        {isUnanswered && 'The TV does not answer.'}
      </p>
    </div>
  )
}

const nameOf = ({ device }: { device: string | null }): string => device ?? 'TV'

const KEY = 'min-h-16 text-base'

function Keys({ onCommand }: { onCommand: (command: TvCommand) => void }) {
  return (
    <>
      <div className="grid grid-cols-2 gap-3">
        <Button icon="up" className={KEY} onClick={() => onCommand({ kind: 'channel', step: 1 })}>
          Channel up
        </Button>
        <Button icon="muted" className={KEY} onClick={() => onCommand({ kind: 'mute' })}>
          Mute
        </Button>
        <Button icon="down" className={KEY} onClick={() => onCommand({ kind: 'channel', step: -1 })}>
          Channel down
        </Button>
        <Button icon="guide" className={KEY} onClick={() => onCommand({ kind: 'guide' })}>
          TV Guide
        </Button>
      </div>
      <Search onSearch={(text) => onCommand({ kind: 'search', text })} />
    </>
  )
}

function Search({ onSearch }: { onSearch: (text: string) => void }) {
  const [text, setText] = useState('')
  const form = useForm({
    check: () =>
      text.trim() === '' ? { field: 'search', description: 'Enter what to search for' } : undefined,
    send: async () => onSearch(text.trim()),
  })
  return (
    <Form form={form} className="grid gap-3">
      <TextField
        label="Search on the TV"
        type="search"
        enterKeyHint="search"
        maxLength={MAX_SEARCH_TEXT}
        {...form.field('search')}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <SubmitButton form={form} icon="search" className="min-h-12">
        Search
      </SubmitButton>
    </Form>
  )
}
