/** Saving what is on screen, through the browser's own download. */

/** Offers `text` as a file. */
export function saveFile(name: string, type: string, text: string): void {
  saveBlob(name, new Blob([text], { type: `${type};charset=utf-8` }))
}

/** Properties that a drawing takes from style sheets and that a picture of it must carry itself. */
const drawn = [
  'fill', 'fill-opacity', 'stroke', 'stroke-opacity', 'stroke-width', 'stroke-dasharray', 'stroke-linecap',
  'stroke-linejoin', 'opacity', 'font-family', 'font-size', 'font-weight', 'text-anchor', 'display', 'visibility',
] as const // prettier-ignore

/** Saves the chart inside `holder` as a PNG at twice its size, on the ground it stands on. */
export async function saveChartPicture(name: string, holder: HTMLElement | null): Promise<void> {
  const charts = [...(holder?.querySelectorAll<SVGSVGElement>('svg.recharts-surface, svg[data-chart]') ?? [])]
  if (!holder || charts.length === 0) return
  const area = holder.getBoundingClientRect()
  const canvas = document.createElement('canvas')
  canvas.width = Math.ceil(area.width * 2)
  canvas.height = Math.ceil(area.height * 2)
  const pen = canvas.getContext('2d')
  if (!pen) return
  pen.fillStyle = getComputedStyle(holder.closest('figure') ?? holder).backgroundColor
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.scale(2, 2)
  for (const chart of charts) {
    const box = chart.getBoundingClientRect()
    if (box.width === 0) continue
    pen.drawImage(await picture(chart, box), box.left - area.left, box.top - area.top, box.width, box.height)
  }
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (blob) saveBlob(name, blob)
}

async function picture(chart: SVGSVGElement, box: DOMRect): Promise<HTMLImageElement> {
  const copy = chart.cloneNode(true) as SVGSVGElement
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  copy.setAttribute('width', String(box.width))
  copy.setAttribute('height', String(box.height))
  const originals = [chart, ...chart.querySelectorAll<SVGElement>('*')]
  for (const [index, element] of [copy, ...copy.querySelectorAll<SVGElement>('*')].entries()) {
    const style = getComputedStyle(originals[index] as Element)
    element.removeAttribute('class')
    element.setAttribute('style', drawn.map((property) => `${property}:${style.getPropertyValue(property)}`).join(';'))
  }
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`
  await image.decode()
  return image
}

function saveBlob(name: string, blob: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
