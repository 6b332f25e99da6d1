import useSWR from 'swr'
import { authClient } from '../../../lib/clients.ts'
import { failureText } from '../../../lib/failures.ts'
import type { LinkedAccount } from '../../../lib/session/provider-methods.ts'
import { useSession } from '../../../lib/session/session.tsx'
import { useProviders } from '../../../lib/session/use-providers.ts'
import { timeAgo } from '../../../lib/time/time-ago.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorNotice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { useConfirm } from '../../../ui/use-confirm.tsx'
import { SettingsSection } from '../settings-section.tsx'

/** The accounts at OpenID providers that sign in to this one. Nothing if the station has no providers. */
export function LinkedAccountsSection() {
  const providers = useProviders()
  const { data: accounts, error, mutate, unlink } = useLinkedAccounts()
  const { confirm, confirmation } = useConfirm()
  if (providers.length === 0 && !accounts?.length) return null

  const nameOf = (id: string) => providers.find((provider) => provider.id === id)?.name ?? id
  const linkable = providers.filter(({ id }) => !accounts?.some(({ provider }) => provider === id))
  const unlinkOne = async (account: LinkedAccount, name: string) => {
    try {
      await unlink(account)
      toast({ title: 'Account Unlinked', description: name, tone: 'success' })
    } catch (failure) {
      toast({
        title: 'Error',
        description: failureText(failure, 'Failed to unlink the account.'),
        tone: 'error',
      })
    }
  }
  return (
    <SettingsSection
      title="Linked accounts"
      text="Sign in with an account that you have elsewhere."
      anchor="linked-accounts"
    >
      {!accounts && error ? (
        <ErrorNotice text="Your linked accounts could not be loaded." onRetry={() => void mutate()} />
      ) : accounts ? (
        <>
          <Accounts
            accounts={accounts}
            nameOf={nameOf}
            onUnlink={(account, name) =>
              confirm({
                title: `Unlink ${name}?`,
                confirmLabel: 'Unlink Account',
                text: `You can no longer sign in to this account with ${name}.`,
                onConfirm: () => unlinkOne(account, name),
              })
            }
          />
          {linkable.length > 0 && (
            <div className="flex flex-wrap gap-2">
              {linkable.map(({ id, name }) => (
                <Button key={id} onClick={() => void linkOne(id)}>
                  Link {name}
                </Button>
              ))}
            </div>
          )}
        </>
      ) : (
        <Skeleton className="h-20" />
      )}
      {confirmation}
    </SettingsSection>
  )
}

async function linkOne(id: string): Promise<void> {
  try {
    await authClient.linkProvider(id)
  } catch (failure) {
    toast({
      title: 'Account Not Linked',
      description: failureText(failure, 'Please try again.'),
      tone: 'error',
    })
  }
}

function Accounts(props: {
  accounts: LinkedAccount[]
  nameOf: (providerId: string) => string
  onUnlink: (account: LinkedAccount, name: string) => void
}) {
  const { accounts, nameOf, onUnlink } = props
  if (accounts.length === 0) return <p className="text-sm text-muted">No account is linked.</p>
  const nowMs = Date.now()
  return (
    <ul aria-label="Linked accounts" className="grid gap-2">
      {accounts.map((account) => {
        const name = nameOf(account.provider)
        return (
          <li
            key={account.identity_id}
            className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md border border-line/70 bg-panel px-4 py-3"
          >
            <div className="min-w-0 flex-1 basis-48">
              <p className="truncate font-medium">{name}</p>
              <p className="text-sm break-words text-muted">
                {account.email && `${account.email} · `}
                {account.created_at && `linked ${timeAgo(account.created_at, nowMs)}`}
              </p>
            </div>
            <Button
              tone="plain"
              className="-mx-3"
              aria-label={`Unlink ${name}`}
              onClick={() => onUnlink(account, name)}
            >
              Unlink
            </Button>
          </li>
        )
      })}
    </ul>
  )
}

/** The user's accounts at providers, oldest first. */
function useLinkedAccounts() {
  const { userId } = useSession()
  const answer = useSWR(userId ? (['auth/identities', userId] as const) : null, authClient.listLinkedAccounts)
  return {
    ...answer,
    unlink: async (account: LinkedAccount): Promise<void> => {
      await authClient.unlinkAccount(account)
      await answer.mutate()
    },
  }
}
