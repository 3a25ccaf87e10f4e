import { Button, CopyButton, Skeleton, TextInput } from '@mantine/core'
import {
  IconCheck,
  IconCopy,
  IconFlask,
  IconLinkPlus,
  IconQrcode,
  IconShare,
} from '@tabler/icons-react'
import { formatCount, formatPesos } from '@tallyroom/domain/money'
import { type ReactNode, useState } from 'react'
import { IconButton } from '../../ui/IconButton.tsx'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import classes from './LinkCards.module.css'
import { linkName, type OnOpen } from './link-columns.tsx'
import { FIGURE_DAYS, type LinkFigures, type LinkItem } from './links.api.ts'
import { shareLink } from './share-link.ts'

interface LinkCardsProps {
  criteria: ReactNode
  /** What the links carry. */
  carried: ReactNode
  /** Why there are no links. */
  refusal: ReactNode
  /** Undefined while they load. */
  items: readonly LinkItem[] | undefined
  /** Whether it is known whose links to show. */
  isChosen: boolean
  /** Undefined unless the links lead to a page, which few of them may. */
  onClearPage: (() => void) | undefined
  onOpen: OnOpen
}

/** An agent's links on a phone: one card each, with what it pays. */
export function LinkCards({
  criteria,
  carried,
  refusal,
  items,
  isChosen,
  onClearPage,
  onOpen,
}: LinkCardsProps) {
  const [words, setWords] = useState('')
  const wanted = words.trim().toLowerCase()
  const shown = items?.filter((item) =>
    `${item.sitename} ${item.typename}`.toLowerCase().includes(wanted),
  )
  return (
    <div className={classes.page}>
      {criteria}
      {refusal}
      {!isChosen && <p className={classes.empty}>Choose an agent to see their links</p>}
      {isChosen && (
        <>
          <TextInput
            type="search"
            aria-label="Find a link"
            placeholder="Find a site or link"
            value={words}
            onChange={({ currentTarget }) => setWords(currentTarget.value)}
          />
          <Folded>{carried}</Folded>
          <ul className={classes.cards} aria-busy={shown === undefined}>
            {shown === undefined
              ? Array.from({ length: 5 }, (_, card) => <Skeleton key={card} height={122} />)
              : shown.map((item) => <LinkCard key={item.typeId} item={item} onOpen={onOpen} />)}
          </ul>
          {shown?.length === 0 && !refusal && (
            <div className={classes.empty}>
              <EmptyList
                text="No links yet"
                about="A link for each site that the agent sells appears here, ready to copy and share."
                onClear={
                  wanted || onClearPage
                    ? () => {
                        setWords('')
                        onClearPage?.()
                      }
                    : undefined
                }
              />
            </div>
          )}
        </>
      )}
    </div>
  )
}

interface LinkCardProps {
  item: LinkItem
  onOpen: OnOpen
}

const LinkCard = ({ item, onOpen }: LinkCardProps) => (
  <li className={classes.card}>
    <div className={classes.head}>
      <div>
        <div className={classes.site}>{item.sitename}</div>
        <h2>{item.typename}</h2>
      </div>
      {item.payout !== undefined && (
        <div className={classes.pays}>
          <strong className="tr-figures">{formatPesos(item.payout)}</strong>
          <div>{item.avp ? 'a sale, or by AVP tier' : 'a sale'}</div>
        </div>
      )}
    </div>
    <code className={classes.link}>{item.link}</code>
    <p className={classes.figures}>{item.figures && <Figures figures={item.figures} />}</p>
    <div className={classes.buttons}>
      <CopyButton value={item.link} timeout={1500}>
        {({ copied, copy }) => (
          <Button
            variant="default"
            size="md"
            leftSection={copied ? <IconCheck size={18} /> : <IconCopy size={18} />}
            aria-label={`${copied ? 'Copied' : 'Copy'} ${linkName(item)}`}
            onClick={copy}
          >
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </CopyButton>
      <Button
        size="md"
        leftSection={<IconShare size={18} />}
        aria-label={`Share ${linkName(item)}`}
        onClick={() => void shareLink(item)}
      >
        Share
      </Button>
      <IconButton
        aria-label={`QR code of ${linkName(item)}`}
        onClick={() => onOpen({ what: 'qr', item })}
      >
        <IconQrcode size={20} />
      </IconButton>
      <IconButton
        aria-label={`Short links of ${linkName(item)}`}
        onClick={() => onOpen({ what: 'short', item })}
      >
        <IconLinkPlus size={20} />
      </IconButton>
      <IconButton
        aria-label={`Test ${linkName(item)}`}
        onClick={() => onOpen({ what: 'test', item })}
      >
        <IconFlask size={20} />
      </IconButton>
    </div>
  </li>
)

/** `1,204 clicks, 310 unique` above `1 sale · ₱500.00 in 30 days`: two lines, also before they are known. */
const Figures = ({ figures: { raws, uniques, sales, earned } }: { figures: LinkFigures }) => (
  <>
    {formatCount(raws)} {raws === 1 ? 'click' : 'clicks'}, {formatCount(uniques)} unique
    <br />
    {formatCount(sales)} {sales === 1 ? 'sale' : 'sales'}
    {earned !== undefined && ` · ${formatPesos(earned)}`} in {FIGURE_DAYS} days
  </>
)

/** The fields of what few links carry. */
export const Folded = ({ children }: { children: ReactNode }) => (
  <details className={classes.subs}>
    <summary>Page and sub ids</summary>
    {children}
  </details>
)
