import { useState } from 'react'
import useSWRImmutable from 'swr/immutable'
import { useBrand } from '../../../lib/api/use-config.ts'
import { copyText } from '../../../lib/browser/copy-text.ts'
import { randomId } from '../../../lib/browser/random-id.ts'
import { saveFile } from '../../../lib/browser/save-file.ts'
import { authClient } from '../../../lib/clients.ts'
import { failureText } from '../../../lib/failures.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorNotice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useConfirm } from '../../../ui/use-confirm.tsx'

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

/** New recovery codes, to be copied or saved. */
function NewCodes(props: { codes: readonly string[]; onDone: () => void }) {
  const { shortName } = useBrand()
  const codes = props.codes.map((code) => code.match(/.{4}/g)?.join('-') ?? code)
  const text = `${codes.join('\n')}\n`
  const save = () =>
    saveFile(new Blob([text], { type: 'text/plain;charset=utf-8' }), `${shortName} recovery codes.txt`)
  return (
    <div className="grid gap-4">
      <p role="status" className="text-sm text-muted">
        Two-step verification is on. Keep these codes where you can find them without your phone. Each code
        works once. They are not shown again.
      </p>
      <ul
        aria-label="Recovery codes"
        className="grid gap-1 rounded-md bg-deep/60 p-4 font-mono text-sm sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={() => void copyText(text, 'The list')}>Copy</Button>
        <Button onClick={save}>Download</Button>
        <Button tone="primary" onClick={props.onDone}>
          I Have Saved Them
        </Button>
      </div>
    </div>
  )
}
