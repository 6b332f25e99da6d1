import type { SignIn } from '@looptide/contracts/http/users'
import { dateLocale } from '../../lib/time/date-locale.ts'
import { ListPage } from '../../ui/list-page.tsx'
import { UNKNOWN_DEVICE, useSignIns } from './api.ts'

const METHOD_LABELS: ReadonlyMap<string, string> = new Map([
  ['password', 'Password'],
  ['link', 'Email link'],
  ['code', 'Email code'],
  ['passkey', 'Passkey'],
  ['oauth', 'Linked account'],
  ['anonymous', 'Without an account'],
  ['device', 'Paired TV'],
])

/** The user's sign-ins of the last 90 days, also the refused ones. */
export function SignInHistory() {
  const list = useSignIns()
  return (
    <ListPage
      list={list}
      loading="Loading your sign-ins"
      skeleton={{ count: 3, className: 'h-14' }}
      failed="Your sign-ins could not be loaded."
      empty={<p className="text-sm text-muted">No sign-ins in the last 90 days.</p>}
    >
      {(items) => (
        <ul aria-label="Recent sign-ins" className="grid grid-cols-[minmax(0,1fr)] gap-2">
          {items.map((item) => (
            <SignInRow key={item.id} item={item} />
          ))}
        </ul>
      )}
    </ListPage>
  )
}

function SignInRow({ item }: { item: SignIn }) {
  return (
    <li className="rounded-md border border-line/70 bg-panel px-4 py-3">
      <p className="flex items-baseline justify-between gap-4">
        <span className="min-w-0 truncate font-medium">{item.device ?? UNKNOWN_DEVICE}</span>
        <time dateTime={item.createdAt} className="shrink-0 text-sm text-muted">
          {momentText(item.createdAt)}
        </time>
      </p>
      <p className="truncate text-sm text-muted">
        {!item.succeeded && <span className="font-semibold text-text">Failed · </span>}
        {METHOD_LABELS.get(item.method) ?? item.method}
        {item.network && ` · ${item.network}`}
      </p>
    </li>
  )
}

const momentText = (instant: string): string =>
  new Date(instant).toLocaleString(dateLocale, { dateStyle: 'medium', timeStyle: 'short' })
