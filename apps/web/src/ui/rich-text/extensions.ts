import { isSafeLink, RICH_TEXT_LINK } from '@tallyroom/domain/rich-text'
import { Image } from '@tiptap/extension-image'
import { TableKit } from '@tiptap/extension-table'
import { TextAlign } from '@tiptap/extension-text-align'
import { Color, TextStyle } from '@tiptap/extension-text-style'
import { StarterKit } from '@tiptap/starter-kit'

/** What a text may hold. `domain/rich-text` keeps all of it; the two change together. */
export const extensions = [
  StarterKit.configure({
    // The first level is the page's own title.
    heading: { levels: [2, 3, 4] },
    link: {
      openOnClick: false,
      defaultProtocol: 'https',
      isAllowedUri: (url) => isSafeLink(url),
      HTMLAttributes: { ...RICH_TEXT_LINK, class: null },
    },
  }),
  TextAlign.configure({ types: ['heading', 'paragraph'] }),
  TextStyle,
  Color,
  Image,
  TableKit.configure({ table: { resizable: false } }),
]
