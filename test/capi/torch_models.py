"""Small models that torch.fx.symbolic_trace refuses, each for a reason that occurs in deployed models."""

import torch
from torch import nn


class Split(nn.Module):
    """A block of a detector: iterates over what a tensor was split into."""

    def __init__(self, channels):
        super().__init__()
        self.first = nn.Conv2d(channels, 2 * channels, 1)
        self.inner = nn.ModuleList(nn.Conv2d(channels, channels, 3, padding=1) for _ in range(2))
        self.last = nn.Conv2d(4 * channels, channels, 1)

    def forward(self, x):
        parts = list(self.first(x).chunk(2, 1))
        parts.extend(inner(parts[-1]) for inner in self.inner)
        return self.last(torch.cat(parts, 1))


class Detector(nn.Module):
    """Two scales, and a head that makes its anchors when it first sees a shape."""

    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 16, 3, stride=2, padding=1)
        self.split = Split(16)
        self.down = nn.Conv2d(16, 32, 3, stride=2, padding=1)
        self.heads = nn.ModuleList((nn.Conv2d(16, 6, 1), nn.Conv2d(32, 6, 1)))
        self.shape = None

    def forward(self, x):
        fine = self.split(nn.functional.silu(self.stem(x)))
        maps = [head(scale) for head, scale in zip(self.heads, (fine, nn.functional.silu(self.down(fine))))]
        if self.shape != x.shape:
            self.anchors = torch.cat([torch.arange(scale.shape[2] * scale.shape[3]) for scale in maps]).float()
            self.shape = x.shape
        flat = torch.cat([scale.flatten(2) for scale in maps], 2)
        box, score = flat.split((4, 2), 1)
        return torch.cat((box + self.anchors, score.sigmoid()), 1)


# 32x32 in: stem 16*16*16*27, split at 16x16 with 16 channels, down 8*8*32*144, heads.
DETECTOR_MACS = 16 * 16 * (16 * 27 + 16 * 32 + 2 * 16 * 144 + 64 * 16 + 16 * 6) + 8 * 8 * (32 * 144 + 32 * 6)


class Checked(nn.Module):
    """Compares a shape in its forward, and takes its input by keyword only."""

    def __init__(self):
        super().__init__()
        self.channels = 3
        self.conv = nn.Conv2d(3, 8, 3, padding=1)
        self.fc = nn.Linear(8, 10)

    def forward(self, *, pixel_values):
        if pixel_values.shape[1] != self.channels:
            raise ValueError("the channels of pixel_values are not those of the model")
        return {"logits": self.fc(self.conv(pixel_values).relu().mean((2, 3)))}


CHECKED_MACS = 16 * 16 * 8 * 27 + 80


class Encoder(nn.Module):
    """Token ids and a mask; positions come from the length of the ids."""

    def __init__(self, width=32, heads=4):
        super().__init__()
        self.heads = heads
        self.tokens = nn.Embedding(100, width)
        self.positions = nn.Embedding(64, width)
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def forward(self, input_ids, attention_mask=None):
        batch, length = input_ids.shape
        x = self.tokens(input_ids) + self.positions(torch.arange(length, device=input_ids.device))
        q, k, v = (part.view(batch, length, self.heads, -1).transpose(1, 2) for part in self.qkv(x).chunk(3, -1))
        mask = None if attention_mask is None else attention_mask[:, None, None, :].bool()
        y = nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return self.out(y.transpose(1, 2).reshape(batch, length, -1))


# 16 tokens of width 32: four projections, scores and their product with the values.
ENCODER_MACS = 16 * 32 * 32 * 4 + 2 * 16 * 16 * 32


class Branching(nn.Module):
    """Asks for the contents of a tensor: the dynamo exporter refuses, tracing takes the branch it sees."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 8)

    def forward(self, x):
        return self.fc(x) if x.sum() > -1 else x


class Lazy(nn.Module):
    """Knows its sizes only after the first call."""

    def __init__(self):
        super().__init__()
        self.conv = nn.LazyConv2d(4, 3)
        self.fc = nn.LazyLinear(5)

    def forward(self, x):
        return self.fc(self.conv(x).flatten(1))


@torch.library.custom_op("hwest_test::twist", mutates_args=())
def twist(x: torch.Tensor) -> torch.Tensor:
    return x.flip(0)


@twist.register_fake
def _(x):
    return torch.empty_like(x)


class Twist(nn.Module):
    def forward(self, x):
        return twist(x)


class Unknown(nn.Module):
    """No exporter knows the operator of its head."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 8), Twist())

    def forward(self, x):
        return self.body(x)


class Mismatched(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 8), nn.Linear(9, 8))

    def forward(self, x):
        return self.body(x)
