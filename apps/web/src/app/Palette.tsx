import '@mantine/spotlight/styles.layer.css'
import {
  createSpotlight,
  Spotlight,
  type SpotlightActionGroupData,
  useSpotlight,
} from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { type FocusEvent, useEffect } from 'react'
import { useDeeds, usePageActions, useViewActions } from './palette-actions.tsx'
import { useFound } from './palette-names.tsx'
import classes from './Palette.module.css'

const [store, palette] = createSpotlight()

const LIST_ID = 'palette'
const optionId = (index: number) => `${LIST_ID}-${index}`

/** The types of the list omit what it passes to its scroll area. */
const asListbox = {
  viewportProps: { id: LIST_ID, role: 'listbox', 'aria-label': 'Matches', tabIndex: -1 },
}

/**
 * The command palette (Ctrl+K): finds pages, people, sites and sales by a few letters, says what a number is about, and
 * runs actions.
 */
export default function Palette({
  query,
  onQueryChange,
  onClose,
}: {
  /** What was typed, also while the palette was loaded. */
  query: string
  onQueryChange: (query: string) => void
  onClose: () => void
}) {
  const { groups: named, isExact, meaning } = useFound(query)
  const own = [usePageActions(), useViewActions(), useDeeds()].map((group) =>
    narrowed(group, query),
  )
  // An exact order number or name is what the user meant; a few letters more likely mean a page.
  const groups = (isExact ? [...named, ...own] : [...own, ...named]).filter(
    ({ actions }) => actions.length > 0,
  )

  // Names load after typing. Enter must open the first match on screen.
  const found = groups.flatMap(({ actions }) => actions.map(({ id }) => id)).join()
  useEffect(selectFirst, [found])
  const { selected, listId } = useSpotlight(store)
  useEffect(markOptions)

  useEffect(() => {
    palette.open()
    return palette.close
  }, [])

  return (
    <Spotlight.Root
      store={store}
      shortcut={null}
      // It grows downwards as matches arrive.
      centered={false}
      overlayProps={{ blur: 0, backgroundOpacity: 0.45 }}
      attributes={{ content: { 'aria-label': 'Go to' } }}
      query={query}
      onQueryChange={onQueryChange}
      onSpotlightClose={onClose}
      classNames={{ content: classes.content }}
    >
      <Spotlight.Search
        leftSection={<IconSearch size={18} stroke={1.6} />}
        placeholder="A page, a name, a number, an email, an action…"
        aria-label="Go to"
        onFocus={toItsEnd}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={listId !== ''}
        aria-controls={LIST_ID}
        aria-activedescendant={listId === '' || selected < 0 ? undefined : optionId(selected)}
      />
      <p className={classes.meaning} role="status">
        {meaning}
      </p>
      {groups.length > 0 ? (
        <Spotlight.ActionsList {...asListbox}>
          {groups.map(({ group, actions }) => (
            <Spotlight.ActionsGroup key={group} label={group}>
              {actions.map(({ id, ...action }) => (
                <Spotlight.Action key={id} highlightQuery {...action} />
              ))}
            </Spotlight.ActionsGroup>
          ))}
        </Spotlight.ActionsList>
      ) : (
        meaning === null && <Spotlight.Empty>Nothing found</Spotlight.Empty>
      )}
    </Spotlight.Root>
  )
}

/** What was typed before goes on there. */
const toItsEnd = ({ currentTarget: field }: FocusEvent<HTMLInputElement>) =>
  field.setSelectionRange(field.value.length, field.value.length)

/** Only the actions whose labels contain the text. */
const narrowed = ({ group, actions }: SpotlightActionGroupData, query: string) => ({
  group,
  actions: actions.filter(({ label = '' }) =>
    label.toLowerCase().includes(query.trim().toLowerCase()),
  ),
})

const drawnActions = () => [...document.querySelectorAll(`#${LIST_ID} [data-action]`)]

/** Does what the library does when the query changes. It offers no API for it. */
function selectFirst() {
  const { selected } = store.getState()
  const actions = drawnActions()
  const [first] = actions
  if (!first || (selected > 0 && actions[selected]?.hasAttribute('data-selected'))) return
  for (const action of actions) action.removeAttribute('data-selected')
  first.setAttribute('data-selected', 'true')
  store.updateState((state) => ({ ...state, selected: 0 }))
}

/** Tells screen readers which action is selected. The library only shows it visually. */
function markOptions() {
  const { selected } = store.getState()
  drawnActions().forEach((action, index) => {
    action.id = optionId(index)
    action.role = 'option'
    action.ariaSelected = String(index === selected)
  })
}
