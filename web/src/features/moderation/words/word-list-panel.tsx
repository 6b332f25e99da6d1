import type { StoredWordList } from '@looptide/contracts/http/word-list'
import { readWordLines, wordLines } from '@looptide/contracts/word-lines'
import { type ChangeEvent, useState } from 'react'
import useSWR from 'swr'
import type { Versioned } from '../../../lib/api/api.ts'
import { isVersionConflict } from '../../../lib/api/api-error.ts'
import { keyOf } from '../../../lib/api/use-call.ts'
import { saveFile } from '../../../lib/browser/save-file.ts'
import { api } from '../../../lib/clients.ts'
import { failureText } from '../../../lib/failures.ts'
import { Button } from '../../../ui/button.tsx'
import { TextArea } from '../../../ui/field.tsx'
import { Form, SubmitButton } from '../../../ui/form.tsx'
import { ErrorNotice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { useForm } from '../../../ui/use-form.ts'
import { TryText, wrongLine } from './try-text.tsx'

const LIST = keyOf('GET /api/chat/word-list', {}, { shape: 'versioned' })

/** The word list of the chat: a text with a line per entry, and a text to try it with. */
export function WordListPanel() {
  const { data, error, mutate } = useSWR(LIST, () => api.callVersioned('GET /api/chat/word-list'), {
    revalidateOnFocus: false,
  })
  return (
    <section aria-labelledby="words" className="grid max-w-3xl gap-5">
      <div className="grid gap-2">
        <h2 id="words" className="text-xl font-semibold">
          Word list
        </h2>
        <p className="text-sm text-muted">
          Messages of viewers with a word of this list are refused, wait for a moderator, or are shown with
          asterisks in its place. A word is found as a whole, also with look-alike letters or digits. The list
          applies to all channels, as soon as it is saved.
        </p>
      </div>
      {data ? (
        <WordListForm list={data} onSaved={(saved) => void mutate(saved, { revalidate: false })} />
      ) : error === undefined ? (
        <div role="status" aria-label="Loading the word list">
          <Skeleton className="h-72" />
        </div>
      ) : (
        <ErrorNotice text="Failed to load the word list." onRetry={() => void mutate()} />
      )}
    </section>
  )
}

/** Entries of the saved list that messages are checked without. */
function Problems({ list: { entries, problems } }: { list: StoredWordList }) {
  if (problems.length === 0) return null
  return (
    <section role="alert" className="grid gap-1 text-sm [overflow-wrap:anywhere]">
      <h3 className="font-semibold">Some entries are not used. Correct or remove them, then save.</h3>
      <ul className="list-disc pl-5">
        {problems.map(({ path, message }) => {
          const entry = entries[Number(path.split('/')[2])]
          return (
            <li key={path}>
              {entry && <code>{wordLines([entry])}</code>} {message}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

const CONFLICT =
  'Another moderator has saved the list meanwhile. Your text is kept; nothing was saved. Take over what you need from their list below, then save again: it replaces theirs.'

type List = Versioned<StoredWordList>

/** The text of the list. It is not replaced when the list changes elsewhere: who saves then sees the other list first. */
function WordListForm({ list, onSaved }: { list: List; onSaved: (saved: List) => void }) {
  const [base, setBase] = useState(list)
  const [theirs, setTheirs] = useState<string>()
  const saved = wordLines(base.body.entries)
  const [text, setText] = useState(saved)
  const { entries, lineOf, problems } = readWordLines(text)
  const form = useForm({
    check: () => {
      const [first] = problems
      return first && { field: 'words', description: `Line ${first.line}: ${first.message}` }
    },
    send: async () => {
      try {
        const answer = await api.callVersioned(
          'PUT /api/chat/word-list',
          { body: { entries } },
          { ifMatch: base.etag },
        )
        setBase(answer)
        setTheirs(undefined)
        setText(wordLines(answer.body.entries))
        onSaved(answer)
        toast({ title: 'Word list saved', description: countText(entries.length), tone: 'success' })
      } catch (failure) {
        if (isVersionConflict(failure)) {
          const newest = await api.callVersioned('GET /api/chat/word-list')
          setBase(newest)
          setTheirs(wordLines(newest.body.entries))
        }
        throw failure
      }
    },
    onFailure: (failure, point) =>
      point({
        field: 'words',
        description: isVersionConflict(failure)
          ? CONFLICT
          : (wrongLine(failure, lineOf) ?? failureText(failure, 'The word list could not be saved.')),
      }),
  })
  return (
    <>
      <Problems list={base.body} />
      <Form form={form} className="grid gap-4">
        <TextArea
          label="Words"
          hint={`One entry a line: “word” or “refuse: some words” to refuse, “hold: word” to look at messages first, “mask: word” for asterisks, “/pattern/” for a regular expression (RE2), “\\/word/” for a word between slashes. ${countText(entries.length)}`}
          rows={14}
          spellCheck={false}
          autoCapitalize="none"
          dir="auto"
          className="font-mono text-sm"
          {...form.field('words')}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        {theirs !== undefined && (
          <TheirList
            lines={theirs}
            onAdd={() => {
              setText(`${text}\n${theirs}`)
              setTheirs(undefined)
            }}
          />
        )}
        <div className="flex flex-wrap gap-2">
          <SubmitButton
            form={form}
            busyLabel="Saving..."
            disabled={text === saved && base.body.problems.length === 0}
          >
            Save
          </SubmitButton>
          <ImportButton onRead={(read) => setText((now) => (now === '' ? read : `${now}\n${read}`))} />
          <Button onClick={() => saveFile(new Blob([`${text}\n`], { type: 'text/plain' }), 'word-list.txt')}>
            Export
          </Button>
        </div>
      </Form>
      <TryText entries={entries} lineOf={lineOf} />
    </>
  )
}

/** The list that another moderator has saved meanwhile. Lines that both have count once when they are read. */
function TheirList({ lines, onAdd }: { lines: string; onAdd: () => void }) {
  return (
    <div className="grid justify-items-start gap-2">
      <TextArea label="Their list" rows={8} readOnly dir="auto" className="font-mono text-sm" value={lines} />
      <Button onClick={onAdd}>Add their lines to mine</Button>
    </div>
  )
}

const countText = (count: number): string => (count === 1 ? '1 entry.' : `${count} entries.`)

/** The largest file of lines that is read, in bytes. A full list is smaller. */
const MAX_FILE_BYTES = 1_000_000

/** Adds the lines of a text file to the list, which is not saved yet. */
function ImportButton({ onRead }: { onRead: (text: string) => void }) {
  const read = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? []
    target.value = ''
    if (file === undefined) return
    if (file.size > MAX_FILE_BYTES)
      return toast({ title: 'Import failed', description: 'The file is larger than 1 MB.', tone: 'error' })
    const text = await file.text()
    onRead(text.trimEnd())
    toast({ title: 'Lines added', description: 'Check the list, then save it.' })
  }
  return (
    <label className="button cursor-pointer bg-raised text-text has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus hover:bg-line">
      <input
        type="file"
        accept=".txt,text/plain"
        aria-label="Import a text file"
        onChange={(event) => void read(event)}
        className="sr-only"
      />
      Import...
    </label>
  )
}
