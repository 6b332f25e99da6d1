import { useBrand } from '../../../lib/api/use-config.ts'
import { saveFile } from '../../../lib/browser/save-file.ts'
import { Button } from '../../../ui/button.tsx'
import { copyText } from './copy-text.ts'

/** New recovery codes, to be copied or saved. */
export function NewCodes(props: { codes: readonly string[]; onDone: () => void }) {
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
