import { CheckboxItem, Content, ItemIndicator, Root, Trigger } from '@radix-ui/react-dropdown-menu'
import { useState } from 'react'
import { useBackLayer } from '../../ui/back-layers.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { type Column, OPTIONAL_COLUMNS } from './library-columns.tsx'

/** A menu of the table's columns. Those that are chosen but do not fit say so. */
export function ColumnsMenu(props: {
  shown: readonly Column[]
  hidden: ReadonlySet<string>
  onHide: (hidden: ReadonlySet<string>) => void
}) {
  const [isOpen, setOpen] = useState(false)
  useBackLayer(isOpen, () => setOpen(false))
  const toggle = (id: string) => {
    const next = new Set(props.hidden)
    if (!next.delete(id)) next.add(id)
    props.onHide(next)
  }
  return (
    <Root open={isOpen} onOpenChange={setOpen} modal={false}>
      <Trigger asChild>
        <Button icon="down">Columns</Button>
      </Trigger>
      <Content
        align="end"
        sideOffset={6}
        collisionPadding={12}
        className="z-50 max-h-(--radix-dropdown-menu-content-available-height) w-64 animate-rise overflow-y-auto overscroll-contain rounded-md border border-line bg-raised p-1.5 shadow-lift"
      >
        {OPTIONAL_COLUMNS.map((column) => {
          const isChosen = !props.hidden.has(column.id)
          return (
            <CheckboxItem
              key={column.id}
              checked={isChosen}
              onCheckedChange={() => toggle(column.id)}
              // The menu stays open, to choose several.
              onSelect={(event) => event.preventDefault()}
              className="flex min-h-11 cursor-pointer items-center gap-2 rounded-sm px-3 text-sm outline-none data-[highlighted]:bg-line"
            >
              <span className="size-5 shrink-0">
                <ItemIndicator>
                  <Icon name="check" />
                </ItemIndicator>
              </span>
              {column.label}
              {isChosen && !props.shown.includes(column) && (
                <span className="ml-auto text-xs text-muted">no room</span>
              )}
            </CheckboxItem>
          )
        })}
      </Content>
    </Root>
  )
}
