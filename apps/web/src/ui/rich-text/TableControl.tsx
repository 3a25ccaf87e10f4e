import { Menu } from '@mantine/core'
import { RichTextEditor as Frame } from '@mantine/tiptap'
import { IconTable } from '@tabler/icons-react'
import { useEditorState, type ChainedCommands, type Editor } from '@tiptap/react'
import { Fragment } from 'react'

interface TableAction {
  label: string
  run: (chain: ChainedCommands) => ChainedCommands
  danger?: true
}

const inside: readonly (readonly TableAction[])[] = [
  [
    { label: 'Add row above', run: (chain) => chain.addRowBefore() },
    { label: 'Add row below', run: (chain) => chain.addRowAfter() },
    { label: 'Delete row', run: (chain) => chain.deleteRow() },
  ],
  [
    { label: 'Add column left', run: (chain) => chain.addColumnBefore() },
    { label: 'Add column right', run: (chain) => chain.addColumnAfter() },
    { label: 'Delete column', run: (chain) => chain.deleteColumn() },
  ],
  [
    { label: 'Toggle header row', run: (chain) => chain.toggleHeaderRow() },
    { label: 'Merge or split cells', run: (chain) => chain.mergeOrSplit() },
    { label: 'Delete table', run: (chain) => chain.deleteTable(), danger: true },
  ],
]

/** Inserts a table of three by three. Inside a table, edits its rows and columns. */
export function TableControl({ editor }: { editor: Editor | null }) {
  const isInside = useEditorState({
    editor,
    selector: ({ editor: it }) => it?.isActive('table') ?? false,
  })
  const run = (action: TableAction['run']) => editor && action(editor.chain().focus()).run()
  const groups = isInside ? inside : [[insert]]
  return (
    <Menu shadow="md" position="bottom-start" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Frame.Control aria-label="Table" title="Table" active={isInside ?? false}>
          <IconTable size={16} stroke={1.5} />
        </Frame.Control>
      </Menu.Target>
      <Menu.Dropdown>
        {groups.map((group) => (
          <Fragment key={group[0]?.label}>
            {group !== groups[0] && <Menu.Divider />}
            {group.map(({ label, run: action, danger }) => (
              <Menu.Item
                key={label}
                onClick={() => run(action)}
                {...(danger && { color: 'var(--mantine-color-error)' })}
              >
                {label}
              </Menu.Item>
            ))}
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

const insert: TableAction = {
  label: 'Insert table',
  run: (chain) => chain.insertTable({ rows: 3, cols: 3, withHeaderRow: true }),
}
