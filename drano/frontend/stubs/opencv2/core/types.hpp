/* Stands in for the library's header of the same name. */
#pragma once
#include <opencv2/drano_opencv.h>
