import { useState } from 'react'
import useSWRImmutable from 'swr/immutable'
import { useBrand } from '../../../lib/api/use-config.ts'
import { randomId } from '../../../lib/browser/random-id.ts'
import { saveFile } from '../../../lib/browser/save-file.ts'
import { authClient } from '../../../lib/clients.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorNotice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { failureText } from '../failure-text.ts'
import { copyText } from './copy-text.ts'

/** Creates recovery codes when it is mounted, and shows them to be copied or saved. */
export function NewCodes({ onDone }: { onDone: () => void }) {
  const [key] = useState(() => ['auth/new-codes', randomId()] as const)
  const { shortName } = useBrand()
  const { data, error, mutate } = useSWRImmutable(key, () => authClient.createRecoveryCodes(), {
    shouldRetryOnError: false,
  })
  if (error) {
    const text = failureText(error, 'The recovery codes could not be created.')
    return <ErrorNotice text={text} onRetry={() => void mutate()} />
  }
  if (!data) return <Skeleton className="h-72" />
  const codes = data.map((code) => code.match(/.{4}/g)?.join('-') ?? code)
  const text = `${codes.join('\n')}\n`
  const save = () =>
    saveFile(new Blob([text], { type: 'text/plain;charset=utf-8' }), `${shortName} recovery codes.txt`)
  return (
    <div className="grid gap-4">
      <p role="status" className="text-sm text-muted">
        Two-step verification is on. Keep these codes where you find them without your phone. Each signs you
        in once. They are shown only now.
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
        <Button tone="primary" onClick={onDone}>
          I Have Saved Them
        </Button>
      </div>
    </div>
  )
}
