import { useState } from 'react'
import useSWRImmutable from 'swr/immutable'
import { randomId } from '../../../lib/browser/random-id.ts'
import { authClient } from '../../../lib/clients.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorNotice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useConfirm } from '../../../ui/use-confirm.tsx'
import { failureText } from '../failure-text.ts'
import { NewCodes } from './new-codes.tsx'

/** Creates recovery codes when it opens, and shows them once. Closing without "I Have Saved Them" asks first. */
export function CodesDialog({ onClose }: { onClose: () => void }) {
  const [key] = useState(() => ['auth/new-codes', randomId()] as const)
  const { data, error, mutate } = useSWRImmutable(key, () => authClient.createRecoveryCodes(), {
    shouldRetryOnError: false,
  })
  const { confirm, confirmation } = useConfirm()
  const askToClose = () =>
    confirm({
      title: 'Close Without Saving?',
      confirmLabel: 'Close Without Saving',
      text: (
        <p>The codes are not shown again. Without them, you lose your account when you lose your phone.</p>
      ),
      onConfirm: onClose,
    })
  return (
    <>
      <Dialog title="Recovery Codes" width="narrow" isOpen onClose={data ? askToClose : onClose}>
        {error ? (
          <ErrorNotice
            text={failureText(error, 'The recovery codes could not be created.')}
            onRetry={() => void mutate()}
          />
        ) : data ? (
          <NewCodes codes={data} onDone={onClose} />
        ) : (
          <Skeleton className="h-72" />
        )}
      </Dialog>
      {confirmation}
    </>
  )
}
