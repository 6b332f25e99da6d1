/** What the station has found wrong with a part of the document. */
export function ProblemLines({ problems }: { problems: readonly string[] }) {
  if (problems.length === 0) return null
  return (
    <ul className="grid gap-1 text-sm font-medium">
      {problems.map((message) => (
        <li key={message} className="break-words">
          <span aria-hidden="true">⚠ </span>
          {message}
        </li>
      ))}
    </ul>
  )
}
