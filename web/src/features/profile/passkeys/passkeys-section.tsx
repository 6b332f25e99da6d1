import { PASSKEYS_PER_USER } from '@looptide/contracts/passkey-limits'
import { lazy, Suspense, useState } from 'react'
import { isPasskeySupported } from '../../../lib/session/passkey-support.ts'
import { ErrorNotice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { useConfirm } from '../../../ui/use-confirm.tsx'
import { failureText } from '../failure-text.ts'
import { AddPasskeyForm } from './add-passkey-form.tsx'
import { PasskeyRow } from './passkey-row.tsx'
import { usePasskeys } from './use-passkeys.ts'

const RenamePasskeyDialog = lazy(async () => ({
  default: (await import('./rename-passkey-dialog.tsx')).RenamePasskeyDialog,
}))

/** The user's passkeys: added, renamed and removed. */
export function PasskeysSection() {
  const { data: passkeys, error, mutate, add, rename, remove } = usePasskeys()
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
        <AddPasskeyForm onAdd={add} />
      )}
      {inDialog && (
        <Suspense>
          <RenamePasskeyDialog
            name={inDialog.friendly_name}
            onRename={(name) => rename(inDialog.id, name)}
            onClose={() => setRenamed(undefined)}
          />
        </Suspense>
      )}
      {confirmation}
    </>
  )
}
