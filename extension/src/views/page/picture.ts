/** Sides and area that a browser draws surely. */
const MOST_SIDE = 16_000;
const MOST_PIXELS = 48 * 1024 * 1024;
/** A picture that is looked at on a fine screen. */
const FINE = 2;

/** How much a picture of this size is enlarged, or made smaller so that it can be drawn. */
export function pictureScale(width: number, height: number): number {
  return Math.min(FINE, MOST_SIDE / Math.max(width, height), Math.sqrt(MOST_PIXELS / (width * height)));
}

/** The drawing as a PNG, in base64. */
export async function pngOf(svg: string, width: number, height: number): Promise<string> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const scale = pictureScale(width, height);
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.floor(width * scale));
  canvas.height = Math.max(1, Math.floor(height * scale));
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('There is no memory left for the picture.');
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  const address = canvas.toDataURL('image/png');
  const [, base64 = ''] = address.split(';base64,');
  if (base64 === '') throw new Error('The picture is too large to be drawn.');
  return base64;
}
