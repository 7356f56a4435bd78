import { pictureScale } from '../../page/picture.ts';
import {
  type Area,
  around,
  between,
  type Camera,
  centred,
  fitted,
  moved,
  overlap,
  revealing,
  zoomed,
} from './camera.ts';

const screen = { width: 800, height: 600 };

test('everything fits and nothing is enlarged', () => {
  const wide = { x: 0, y: 0, width: 8_000, height: 100 };
  const camera = fitted(wide, screen);
  expect(camera.scale).toBeLessThan(0.1);
  expect(isSeen(camera, { x: 0, y: 0, width: 1, height: 1 })).toBe(true);
  expect(isSeen(camera, { x: 7_999, y: 99, width: 1, height: 1 })).toBe(true);
  expect(fitted({ x: 0, y: 0, width: 10, height: 10 }, screen).scale).toBe(1);
});

test('zooming keeps what is under the pointer, in and out within limits', () => {
  const camera = { x: 50, y: 70, scale: 1 };
  const at = { x: 200, y: 100 };
  const nearer = zoomed(camera, 2, at);
  expect([nearer.x + at.x / nearer.scale, nearer.y + at.y / nearer.scale]).toEqual([250, 170]);
  expect(zoomed(camera, 1e9, at).scale).toBe(4);
  expect(zoomed(camera, 1e-9, at).scale).toBe(0.01);
});

test('moving goes by pixels of the screen', () => {
  expect(moved({ x: 0, y: 0, scale: 0.5 }, 10, -20)).toEqual({ x: 20, y: -40, scale: 0.5 });
});

test('a table beside the screen is brought in by the shortest way, one on show moves nothing', () => {
  const camera = { x: 0, y: 0, scale: 1 };
  expect(revealing(camera, { x: 100, y: 100, width: 100, height: 100 }, screen)).toEqual(camera);
  expect(revealing(camera, { x: 800, y: 100, width: 100, height: 100 }, screen)).toEqual({ x: 124, y: 0, scale: 1 });
  expect(revealing(camera, { x: -50, y: 0, width: 10, height: 10 }, screen)).toEqual({ x: -74, y: -24, scale: 1 });
});

test('what lies outside is not on show, and what is near is drawn with it', () => {
  const camera = centred({ x: 0, y: 0 }, 1, screen);
  expect(isSeen(camera, { x: 401, y: 0, width: 10, height: 10 })).toBe(false);
  expect(isSeen(camera, { x: -420, y: 0, width: 10, height: 10 })).toBe(false);
  expect(isSeen(camera, { x: -420, y: 0, width: 30, height: 10 })).toBe(true);
  expect(around(camera, screen)).toEqual({ x: -1_200, y: -900, width: 2_400, height: 1_800 });
});

test('a picture that was drawn before is moved to where a new one would be', () => {
  const [drawn, now] = [
    { x: 10, y: 20, scale: 0.5 },
    { x: -30, y: 70, scale: 2 },
  ];
  const { right, down, factor } = between(drawn, now);
  const place = { x: 123, y: 456 };
  const before = { x: (place.x - drawn.x) * drawn.scale, y: (place.y - drawn.y) * drawn.scale };
  expect([before.x * factor + right, before.y * factor + down]).toEqual([
    (place.x - now.x) * now.scale,
    (place.y - now.y) * now.scale,
  ]);
});

function isSeen({ x, y, scale }: Camera, area: Area): boolean {
  return overlap({ x, y, width: screen.width / scale, height: screen.height / scale }, area);
}

test('a picture is drawn finely where it is small, and made smaller where a browser would give up', () => {
  expect(pictureScale(800, 600)).toBe(2);
  const scale = pictureScale(15_000, 30_000);
  expect(30_000 * scale).toBeLessThanOrEqual(16_000);
  expect(15_000 * scale * 30_000 * scale).toBeLessThan(49 * 1024 * 1024);
});
