import { type ReactNode, useId } from 'react'

/** A section of the page: title and description, with the controls beside them. */
export function SettingsSection(props: { title: string; text: string; children: ReactNode }) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="grid grid-cols-[minmax(0,1fr)] gap-x-12 gap-y-5 border-t border-line/60 py-8 md:grid-cols-[minmax(0,15rem)_minmax(0,1fr)]"
    >
      <div>
        <h2 id={id} className="text-lg font-semibold">
          {props.title}
        </h2>
        <p className="mt-1 text-sm text-muted">{props.text}</p>
      </div>
      <div className="grid max-w-xl grid-cols-[minmax(0,1fr)] content-start gap-5">{props.children}</div>
    </section>
  )
}
