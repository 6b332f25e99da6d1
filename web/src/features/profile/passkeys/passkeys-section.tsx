import { PASSKEYS_PER_USER } from '@looptide/contracts/credential-limits'
import type { Passkey } from '@looptide/contracts/http/passkeys'
import { useState } from 'react'
import useSWR from 'swr'
import { dialogPart } from '../../../lib/browser/part.tsx'
import { authClient } from '../../../lib/clients.ts'
import { failureText } from '../../../lib/failures.ts'
import { isPasskeySupported } from '../../../lib/session/passkey-support.ts'
import { useSession } from '../../../lib/session/session.tsx'
import { timeAgo } from '../../../lib/time/time-ago.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorNotice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { useConfirm } from '../../../ui/use-confirm.tsx'

const AddPasskeyDialog = dialogPart(async () => (await import('./add-passkey-dialog.tsx')).AddPasskeyDialog)
const RenamePasskeyDialog = dialogPart(
  async () => (await import('./rename-passkey-dialog.tsx')).RenamePasskeyDialog,
)

/** The user's passkeys: added, renamed and removed. */
export function PasskeysSection() {
  const { data: passkeys, error, mutate, add, rename, remove } = usePasskeys()
  const [isAdding, setAdding] = useState(false)
  const [renamed, setRenamed] = useState<string>()
  const { confirm, confirmation } = useConfirm()

  if (!passkeys && error) {
    return <ErrorNotice text="Your passkeys could not be loaded." onRetry={() => void mutate()} />
  }
  if (!passkeys) return <Skeleton className="h-28" />
  const inDialog = passkeys.find(({ id }) => id === renamed)

  const removeOne = async (id: string, name: string) => {
    try {
      await remove(id)
      toast({ title: 'Passkey Removed', description: name, tone: 'success' })
    } catch (failure) {
      toast({ title: 'Error', description: failureText(failure, 'Failed to remove it.'), tone: 'error' })
    }
  }
  return (
    <>
      {passkeys.length === 0 ? (
        <p className="text-sm text-muted">You have no passkeys.</p>
      ) : (
        <ul aria-label="Passkeys" className="grid gap-2">
          {passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              onRename={() => setRenamed(passkey.id)}
              onRemove={() =>
                confirm({
                  title: `Remove ${passkey.friendly_name}?`,
                  confirmLabel: 'Remove Passkey',
                  text: 'You can no longer sign in with it. Delete it on your device as well.',
                  onConfirm: () => removeOne(passkey.id, passkey.friendly_name),
                })
              }
            />
          ))}
        </ul>
      )}
      {!isPasskeySupported() ? (
        <p className="text-sm text-muted">
          Passkeys do not work in this browser or at this address. Use a current browser and the station’s
          https address to add one.
        </p>
      ) : passkeys.length >= PASSKEYS_PER_USER ? (
        <p className="text-sm text-muted">
          You have {PASSKEYS_PER_USER} passkeys, the maximum. Remove one before you add another.
        </p>
      ) : (
        <Button className="justify-self-start" onClick={() => setAdding(true)}>
          Add Passkey
        </Button>
      )}
      {isAdding && <AddPasskeyDialog onAdd={add} onClose={() => setAdding(false)} />}
      {inDialog && (
        <RenamePasskeyDialog
          name={inDialog.friendly_name}
          onRename={(name) => rename(inDialog.id, name)}
          onClose={() => setRenamed(undefined)}
        />
      )}
      {confirmation}
    </>
  )
}

/** A passkey of the list: name, times, and its actions. */
function PasskeyRow(props: { passkey: Passkey; onRename: () => void; onRemove: () => void }) {
  const { friendly_name: name, created_at: createdAt, last_used_at: lastUsedAt } = props.passkey
  const nowMs = Date.now()
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md border border-line/70 bg-panel px-4 py-3">
      <div className="min-w-0 flex-1 basis-48">
        <p className="truncate font-medium">{name}</p>
        <p className="text-sm text-muted">
          Added {timeAgo(createdAt, nowMs)} ·{' '}
          {lastUsedAt === undefined ? 'not used yet' : `last used ${timeAgo(lastUsedAt, nowMs)}`}
        </p>
      </div>
      <div className="-mx-3 flex">
        <Button tone="plain" aria-label={`Rename ${name}`} onClick={props.onRename}>
          Rename
        </Button>
        <Button tone="plain" aria-label={`Remove ${name}`} onClick={props.onRemove}>
          Remove
        </Button>
      </div>
    </li>
  )
}

/** The user's passkeys, oldest first, and their changes. */
function usePasskeys() {
  const { userId } = useSession()
  const answer = useSWR(userId ? (['auth/passkeys', userId] as const) : null, authClient.listPasskeys)
  /** Reloads also after a failure: a passkey may have been added before its name was refused. */
  const change = async (work: Promise<void>): Promise<void> => {
    try {
      await work
    } finally {
      await answer.mutate()
    }
  }
  return {
    ...answer,
    add: (name: string) => change(authClient.addPasskey(name)),
    rename: (id: string, name: string) => change(authClient.renamePasskey(id, name)),
    remove: (id: string) => change(authClient.removePasskey(id)),
  }
}
