import { buttonClass } from '../../ui/button.tsx'

const LISTS = 'ul[aria-label], ol[aria-label], tbody, [role="grid"], [role="table"]'
const FOCUSABLE = 'a[href], button:not(:disabled), input:not(:disabled), [tabindex="0"]'

/** The first control in the first list of the shown section. */
function firstRow(): HTMLElement | undefined {
  const lists = [...document.querySelectorAll<HTMLElement>(`#main :is(${LISTS})`)]
  return lists
    .filter((list) => list.checkVisibility())
    .map((list) => list.querySelector<HTMLElement>(FOCUSABLE))
    .find((control) => control !== null)
}

/**
 * Buttons that are visible while they have the focus, directly behind the heading at which a page starts: they lead past
 * the links and forms to the first row of the list, and to the section.
 */
export function SkipLinks({ section }: { section?: () => HTMLElement | null }) {
  return (
    <>
      <SkipLink label="Skip to the list" find={firstRow} />
      {section && <SkipLink label="Skip to the section" find={section} />}
    </>
  )
}

function SkipLink(props: { label: string; find: () => HTMLElement | null | undefined }) {
  return (
    <button
      type="button"
      className={`lrud-ignore sr-only focus:not-sr-only focus:absolute focus:z-20 ${buttonClass('quiet')}`}
      onClick={() => props.find()?.focus()}
    >
      {props.label}
    </button>
  )
}
