import { Text } from '@mantine/core'
import type { ManualItem } from '@tallyroom/contract/catalogue/manuals'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { RichText } from '../../ui/rich-text/RichText.tsx'
import { useChosenInView } from '../../ui/use-chosen-in-view.ts'
import { manualQuery, manualsQuery } from './how-to-sell.api.ts'
import classes from './HowToSellPage.module.css'

const route = getRouteApi('/app/how-to-sell')

/** The manuals of the sites that the viewer may sell, one per tab. */
export function HowToSellPage() {
  const { manual: chosen } = route.useSearch()
  return (
    <FormLoader query={useQuery(manualsQuery)}>
      {(manuals) => {
        const open = manuals.find(({ id }) => id === chosen) ?? manuals[0]
        if (!open) return <Text c="dimmed">No data yet</Text>
        return (
          <>
            <ManualTabs manuals={manuals} openId={open.id} />
            <ManualText key={open.id} id={open.id} title={open.title} />
          </>
        )
      }}
    </FormLoader>
  )
}

function ManualTabs({ manuals, openId }: { manuals: readonly ManualItem[]; openId: number }) {
  const row = useChosenInView(String(openId))
  return (
    <nav ref={row} className={classes.tabs} aria-label="Manuals">
      {manuals.map(({ id, title }) => (
        <Link
          key={id}
          to="/app/how-to-sell"
          search={{ manual: id }}
          resetScroll={false}
          aria-current={id === openId ? 'page' : undefined}
        >
          {title}
        </Link>
      ))}
    </nav>
  )
}

const ManualText = ({ id, title }: { id: number; title: string }) => (
  <article className={classes.manual} aria-label={title}>
    <FormLoader
      query={useQuery(manualQuery(id))}
      back={{ to: '/app/how-to-sell', label: 'How to sell' }}
    >
      {({ html }) => <RichText html={html} />}
    </FormLoader>
  </article>
)
